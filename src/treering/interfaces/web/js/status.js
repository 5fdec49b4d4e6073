/** What the memory holds, as far as the reader may know; its owner also sees how far each derived part is. */

import { forgetToken, hasToken, read } from "./api.js";
import { rings, strip } from "./axis.js";
import { fill, h, waiting } from "./dom.js";
import { elsewhere, go } from "./place.js";
import { count, interval } from "./words.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./types.js").Status} Status */
/** @typedef {import("./types.js").Timeline} Timeline */

/**
 * @param {HTMLElement} main
 * @param {Place} place
 * @param {AbortSignal} signal
 */
export async function show(main, place, signal) {
  fill(main, h("h1", {}, "Status"), waiting());
  /** @type {[Status, Timeline]} */
  const [status, { months }] = await Promise.all([read("/v1/status", {}, signal), read("/v1/timeline", { limit: 1, as_of: place.as_of, known_at: place.known_at }, signal)]);
  const { records, channels, actors, first, last, viewer, answers, memory } = status;
  fill(
    main,
    h("h1", {}, "Status"),
    h(
      "div",
      { class: "welcome" },
      months.length > 0 && rings(months),
      h(
        "div",
        {},
        h("dl", { class: "counts large" }, Object.entries({ records, channels, actors }).map(([name, number]) => h("div", {}, h("dt", {}, name), h("dd", {}, count(number))))),
        h("p", {}, first ? interval(first, last) : "Nothing is in it yet."),
        h("p", { class: "hint" }, viewer === null ? "You see it as its owner: everything." : `You see it as ${viewer}.`),
        h("p", { class: "hint" }, answers.startsWith("extractive") ? "Answers are quoted from the evidence by rule; no model is asked." : `Answers are written by ${answers}.`),
        hasToken() && h("p", {}, h("button", { type: "button", class: "quiet", onclick: signOut }, "Forget the token")),
      ),
    ),
    strip(months, { link: (name) => elsewhere({ view: "timeline", of: "", at: `${name}-01T00:00:00Z` }), label: "Records by month" }),
    memory && h("section", { "aria-labelledby": "parts" }, h("h2", { id: "parts" }, "Derived parts"), table(memory)),
  );
}

function signOut() {
  forgetToken();
  go(elsewhere({ view: "status" }));
}

/**
 * Named values, nested ones as lists below their name.
 * @param {Object<string, any>} facts
 * @returns {HTMLElement}
 */
function table(facts) {
  return h("dl", { class: "facts" }, Object.entries(facts).map(([name, value]) => [h("dt", {}, name), h("dd", {}, shown(value))]));
}

/** @param {any} value */
function shown(value) {
  if (value === null || value === "") return "none";
  if (Array.isArray(value)) return value.length ? value.join(", ") : "none";
  if (typeof value === "object") return table(value);
  return typeof value === "number" ? count(value) : String(value);
}
