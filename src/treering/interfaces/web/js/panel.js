/**
 * A record in context, beside whatever view is shown: the thread around it, its versions, its places in the trees, who
 * may see it, and what it is linked to. Each tab fetches what it shows when it is opened, and is part of the address.
 */

import { Problem, read } from "./api.js";
import { entries, entry } from "./cards.js";
import { byId, fill, h, notice, waiting } from "./dom.js";
import { elsewhere, go, near } from "./place.js";
import { versions } from "./versions.js";
import { paths } from "./why.js";
import { badge, counted, moment } from "./words.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./types.js").Context} Context */
/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {(context: Context, place: Place, signal: AbortSignal) => Promise<Node | Node[]>} Tab */

const THREAD_SHOWN = 24;

/** @type {Record<string, {name: string, show: Tab}>} */
const TABS = {
  thread: { name: "Thread", show: thread },
  versions: { name: "Versions", show: async (context, place, signal) => versions((await read(`/v1/records/${context.record.id}/history`, { as_of: place.as_of }, signal)).versions) },
  places: { name: "In the trees", show: async (context) => paths(context.places) },
  audience: { name: "Who may see it", show: async (context) => audience(context) },
  linked: { name: "Linked", show: async (context) => linked(context) },
};

let shown = "";

/**
 * Shows the record of the address, or closes the panel.
 * @param {Place} place
 * @param {AbortSignal} signal
 */
export async function showPanel(place, signal) {
  const panel = byId("panel");
  const opened = place.record !== shown;
  shown = place.record;
  panel.hidden = !place.record;
  byId("stage").classList.toggle("split", Boolean(place.record));
  mark(place.record);
  if (!place.record) {
    fill(panel);
    return;
  }
  if (opened) fill(panel, closeButton(), waiting());
  try {
    /** @type {Context} */
    const context = await read(`/v1/records/${encodeURIComponent(place.record)}/context`, { as_of: place.as_of }, signal);
    const body = h("div", { class: "tab-body", id: "tab-body", role: "tabpanel", tabindex: 0, "aria-labelledby": `tab-${tabOf(place)}` }, waiting());
    fill(panel, closeButton(), heading(context, place), tabs(place), body);
    if (opened) panel.querySelector("h2")?.focus({ preventScroll: true });
    const content = await TABS[tabOf(place)].show(context, place, signal);
    fill(body, content);
    const focal = body.querySelector("[aria-current]");
    if (focal) body.scrollTop += focal.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 3;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    fill(panel, closeButton(), notice(error.title, error.message, "alert"));
  }
}

/** Closes the panel and gives the focus back to the card that it was opened from. */
export function closePanel() {
  const card = document.querySelector(`#main [data-item="${CSS.escape(shown)}"]`);
  go(near({ record: "", tab: "" }));
  if (card instanceof HTMLElement) card.focus();
}

/** @param {Place} place */
const tabOf = (place) => (place.tab in TABS ? place.tab : "thread");

/** Marks the card of the open record. @param {string} record */
function mark(record) {
  for (const card of document.querySelectorAll("#main [data-item]")) {
    card.classList.toggle("opened", card.getAttribute("data-item") === record);
  }
}

function closeButton() {
  return h("button", { type: "button", class: "quiet close", onclick: closePanel, "aria-keyshortcuts": "Escape" }, "Close");
}

/**
 * What the panel is about; its text too, where the tab below does not show it in its place.
 * @param {Context} context
 * @param {Place} place
 */
function heading({ record }, place) {
  const shown = ["thread", "versions"].includes(tabOf(place));
  return h(
    "header",
    {},
    h("h2", { tabindex: -1, dir: "auto" }, record.title || `${record.author} in ${record.channel}`),
    h("p", { class: "byline" }, record.title && h("span", { class: "author", dir: "auto" }, `${record.author} in ${record.channel}`), moment(record.valid_from), badge(record.state)),
    !shown && h("p", { class: "verbatim brief", dir: "auto" }, record.text),
    h("p", { class: "citation" }, `${record.source}/${record.source_id} · version ${record.version} · logged `, moment(record.logged_at)),
  );
}

/** @param {Place} place */
function tabs(place) {
  const chosen = tabOf(place);
  const list = h(
    "div",
    { class: "tabs", role: "tablist", "aria-label": "Context" },
    Object.entries(TABS).map(([id, { name }]) =>
      h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "tab-body", "aria-selected": String(id === chosen), tabindex: id === chosen ? 0 : -1, onclick: () => choose(id) }, name),
    ),
  );
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const ids = Object.keys(TABS);
    choose(ids[(ids.indexOf(chosen) + step + ids.length) % ids.length]);
    event.preventDefault();
  });
  return list;
}

/** @param {string} id */
async function choose(id) {
  go(near({ tab: id === "thread" ? "" : id }), { replace: true });
  new MutationObserver((_, observer) => {
    observer.disconnect();
    document.getElementById(`tab-${id}`)?.focus();
  }).observe(byId("panel"), { childList: true });
}

/** @type {Tab} */
async function thread({ record }, place, signal) {
  const list = h("div", {});
  /** @param {string | null} cursor */
  const load = async (cursor) => {
    /** @type {Timeline} */
    const found = await read("/v1/timeline", { of: `record:${record.id}`, limit: THREAD_SHOWN, cursor, as_of: place.as_of, known_at: place.known_at }, signal);
    fill(
      list,
      h("p", { class: "hint", dir: "auto" }, `${found.label} · ${counted(found.total, "record")}`),
      found.before && h("button", { type: "button", class: "quiet", onclick: () => load(found.before) }, "Earlier"),
      entries(found.records, { focal: record.id }),
      found.after && h("button", { type: "button", class: "quiet", onclick: () => load(found.after) }, "Later"),
    );
  };
  await load(null);
  return list;
}

/** @param {Context} context */
function audience({ record, audience: { everyone, known, members } }) {
  const words = everyone
    ? `Everybody may see what is said in ${record.channel}.`
    : known
      ? `${counted(members.length, "member")} of ${record.channel}, and the owner.`
      : "The source tells no members, so the owner alone sees it.";
  return h(
    "div",
    {},
    h("p", { dir: "auto" }, words),
    members.length > 0 && h("ul", { class: "people" }, members.map((name) => h("li", { dir: "auto" }, h("a", { href: elsewhere({ view: "timeline", of: `actor:${name}` }) }, name)))),
    h("p", { class: "hint" }, "Membership as it stands now; it bounds what each reader's questions can reach."),
  );
}

/** @param {Context} context */
function linked({ linked: found }) {
  if (!found.length) return h("p", { class: "hint" }, "No reply, reference or shared identifier.");
  return h("ol", { class: "entries" }, found.map(({ kind, identifier, record }) => entry(record, { place: true, note: identifier ? `${kind} ${identifier}` : kind })));
}
