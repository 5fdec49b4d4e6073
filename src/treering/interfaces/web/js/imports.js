/** Bringing files into the memory, for its owner: an upload, and the jobs it starts, followed until they are done. */

import { Problem, read, upload } from "./api.js";
import { announce, fill, h, notice } from "./dom.js";
import { elsewhere } from "./place.js";
import { count, counted, moment } from "./words.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./types.js").Job} Job */

const POLL_MS = 500;
const SHOWN_MAX = 20; // of a report's quarantined records

/**
 * @param {HTMLElement} main
 * @param {Place} place
 * @param {AbortSignal} signal
 */
export async function show(main, place, signal) {
  const status = await read("/v1/status", {}, signal);
  if (status.viewer !== null) {
    fill(main, h("h1", {}, "Import"), notice("Only the owner of the memory imports", `You see it as ${status.viewer}.`));
    return;
  }
  const jobs = h("ol", { class: "jobs" });
  const none = h("p", { class: "hint" }, "No import since the server started.");
  fill(main, h("h1", {}, "Import"), importForm(jobs, none, signal), h("section", { "aria-labelledby": "jobs" }, h("h2", { id: "jobs" }, "Imports"), none, jobs));
  for (const job of (await read("/v1/imports", {}, signal)).jobs) {
    none.hidden = true;
    jobs.append(follow(job, signal));
  }
}

/**
 * @param {HTMLElement} jobs
 * @param {HTMLElement} none
 * @param {AbortSignal} signal
 */
function importForm(jobs, none, signal) {
  const files = h("input", { type: "file", id: "files", name: "files", multiple: true, required: true });
  const send = h("button", { class: "primary" }, "Import");
  const told = h("div", { "aria-live": "polite" });
  const form = h(
    "form",
    { class: "import", "aria-label": "Import files" },
    h("div", { class: "drop" }, h("label", { for: "files" }, "Exports, mailboxes, documents: choose files or drop them here"), files),
    h(
      "div",
      { class: "fields" },
      h("div", { class: "field" }, h("label", { for: "visibility" }, "Where no members are told"), h("select", { id: "visibility", name: "visibility" }, h("option", { value: "private" }, "only the owner sees it"), h("option", { value: "public" }, "everybody sees it"))),
      h("div", { class: "field" }, h("label", { for: "zone" }, "Zone of local times"), h("input", { id: "zone", name: "zone", placeholder: "UTC, or Europe/Berlin" })),
      h("div", { class: "field" }, h("label", { for: "source" }, "Name of the source"), h("input", { id: "source", name: "source", placeholder: "as the files say" })),
    ),
    send,
    told,
  );
  const drop = /** @type {HTMLElement} */ (form.querySelector(".drop"));
  for (const name of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      if (name === "drop") files.files = /** @type {DragEvent} */ (event).dataTransfer?.files ?? null;
    });
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const chosen = [...(files.files ?? [])];
    send.disabled = true;
    fill(told, h("p", { class: "hint" }, `Sending ${counted(chosen.length, "file")} …`));
    try {
      const options = new FormData(form);
      const job = await upload(chosen, Object.fromEntries(["visibility", "zone", "source"].map((name) => [name, String(options.get(name) ?? "")])));
      none.hidden = true;
      jobs.prepend(follow(job, signal));
      fill(told);
      form.reset();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      fill(told, notice(error.title, error.message, "alert"));
    } finally {
      send.disabled = false;
    }
  });
  return form;
}

/**
 * A job that is redrawn until it ends or the reader goes elsewhere.
 * @param {Job} job
 * @param {AbortSignal} signal
 */
function follow(job, signal) {
  const item = h("li", { class: "job", "data-item": job.id, tabindex: -1 });
  /** @param {Job} now */
  const draw = (now) => {
    fill(item, jobView(now));
    if (now.state === "done" || now.state === "failed") {
      if (now !== job) announce(`Import ${now.state}: ${now.files.join(", ")}`);
      return;
    }
    setTimeout(async () => {
      if (signal.aborted) return;
      draw(await read(`/v1/imports/${job.id}`, {}, signal).catch((error) => ({ ...now, state: "failed", error: error.message })));
    }, POLL_MS);
  };
  draw(job);
  return item;
}

/** @param {Job} job */
function jobView(job) {
  return [
    h("p", { class: "byline" }, h("span", { class: `badge ${job.state}` }, job.state), h("strong", { dir: "auto" }, job.files.join(", ")), moment(job.created_at)),
    h("ul", { class: "progress" }, job.progress.map((one) => step(one, job.state === "done"))),
    job.error && notice("The import failed", job.error, "alert"),
    job.report && report(job.report),
    (job.notes ?? []).map((note) => h("p", { class: "hint", dir: "auto" }, note)),
  ];
}

/**
 * How far one step is; where nobody knows of how many, only that it goes on.
 * @param {import("./types.js").Progress} step
 * @param {boolean} ended
 */
function step({ what, done, total }, ended) {
  const value = total ? done / total : ended ? 1 : null;
  return h("li", {}, h("span", {}, what), h("progress", { max: 1, value, "aria-label": what }), h("span", { class: "hint" }, total ? `${count(done)} of ${count(total)}` : count(done)));
}

/** @param {Object<string, any>} told */
function report(told) {
  const { read: seen, kept, unchanged, versions, quarantined, skipped } = told.total;
  /** @type {{file: string, position: string, reason: string}[]} */
  const bad = (told.files ?? []).flatMap((/** @type {any} */ file) => file.quarantine ?? []);
  return h(
    "div",
    { class: "report" },
    h("dl", { class: "counts" }, Object.entries({ read: seen, kept, unchanged, "new versions": versions, quarantined }).map(([name, number]) => h("div", {}, h("dt", {}, name), h("dd", {}, count(number))))),
    Object.entries(skipped ?? {}).map(([reason, number]) => h("p", { class: "hint" }, `left out ${count(Number(number))}: ${reason}`)),
    bad.length > 0 && h("details", {}, h("summary", {}, "Quarantined"), h("ul", {}, bad.slice(0, SHOWN_MAX).map((one) => h("li", { dir: "auto" }, `${one.file}, ${one.position}: ${one.reason}`)))),
    h("p", {}, h("a", { href: elsewhere({}) }, "Ask about it")),
  );
}
