/**
 * Why a record was found: the shares of the signals as bars, the stage, its path in the trees; and what each stage of
 * the whole retrieval saw, kept and dropped. The shares are read out of `why`, the sentence that the engine gives.
 */

import { read } from "./api.js";
import { fill, h, notice, s, waiting } from "./dom.js";
import { elsewhere } from "./place.js";
import { count, counted } from "./words.js";

/** @typedef {import("./types.js").Evidence} Evidence */
/** @typedef {import("./types.js").Trace} Trace */
/** @typedef {import("./types.js").Spot} Spot */

const SHARE = /([\w -]+?) (\d+)% \+ (\d+)% around/g;
const STAGES = /** @type {Record<string, string>} */ ({
  rank: "ranked among all records",
  S1: "an anchor: its own words match",
  S2: "a supplement: below a summary that matches",
  S3: "completes the evidence: joined or bridged from another record",
  S4: "assembled",
});
const LEGS = /** @type {Record<string, string>} */ ({ lexical: "words", dense: "meaning", sparse: "learned terms" });

/**
 * The signals of a sentence such as "lexical 33% + 67% around, dense 0% + 0% around".
 * @param {string} why
 */
export function signals(why) {
  return [...why.matchAll(SHARE)].flatMap(([, leg, own, around]) => {
    const name = LEGS[leg.trim()] ?? leg.trim();
    return [
      { name: `${name}, here`, share: Number(own) },
      { name: `${name}, around it`, share: Number(around) },
    ];
  });
}

/**
 * The reasons of one piece of evidence, closed at first; its path in the trees is fetched when it is opened.
 * @param {Evidence} item
 */
export function reasons(item) {
  const bars = signals(item.why);
  const rest = item.why.replace(SHARE, "").replace(/^[\s,;]+|[\s,;]+$/g, "");
  const places = h("div", { class: "places" });
  const details = h(
    "details",
    { class: "why" },
    h("summary", {}, "Why it was found"),
    h("p", {}, h("strong", {}, item.stage === "rank" ? "Ranking" : item.stage), ` · ${STAGES[item.stage] ?? item.stage}`),
    rest && h("p", {}, rest),
    bars.length > 0 && h("dl", { class: "shares" }, bars.map(({ name, share }) => [h("dt", {}, name), h("dd", {}, bar(share), `${share}%`)])),
    bars.length > 0 && h("p", { class: "hint" }, "“Around it”: the messages beside it speak for it too."),
    places,
  );
  details.addEventListener("toggle", async () => {
    if (!details.open || places.hasChildNodes()) return;
    fill(places, waiting());
    try {
      fill(places, paths((await read(`/v1/records/${item.id}/context`)).places));
    } catch (error) {
      fill(places, notice("Its path cannot be shown", String(/** @type {Error} */ (error).message)));
    }
  });
  return details;
}

/** @param {number} share in percent */
function bar(share) {
  return s(
    "svg",
    { class: "share", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "rail", x: 0, y: 3, width: 100, height: 2 }),
    s("rect", { class: "bar", x: 0, y: 1, width: share, height: 6 }),
  );
}

/**
 * Where a record hangs: for each tree the way from its root, as links into the forests.
 * @param {Spot[]} places
 */
export function paths(places) {
  if (!places.length) return h("p", { class: "hint" }, "It hangs in no tree.");
  return h(
    "ul",
    { class: "paths" },
    places.map(({ view, key, label, path }) =>
      h(
        "li",
        {},
        h("span", { class: "kind" }, view),
        h("a", { href: elsewhere({ view: "forests", forest: view, tree: key }), dir: "auto" }, label),
        path.slice(1).map((step) => [h("span", { class: "step", "aria-hidden": "true" }, "›"), h("span", { dir: "auto" }, step)]),
      ),
    ),
  );
}

/**
 * What each stage saw, kept and dropped.
 * @param {Trace[]} trace
 */
export function stages(trace) {
  return h(
    "details",
    { class: "why trace" },
    h("summary", {}, "How the search went"),
    h(
      "ol",
      {},
      trace.map((stage) => {
        const dropped = Object.entries(stage.dropped).filter(([, number]) => number);
        return h(
          "li",
          {},
          h("strong", {}, stage.stage === "rank" ? "Ranking" : stage.stage),
          ` saw ${counted(stage.seen, "record")}, kept ${count(stage.kept.length)}`,
          dropped.length > 0 && `; dropped ${dropped.map(([reason, number]) => `${count(number)} ${reason}`).join(", ")}`,
          stage.notes.length > 0 && h("ul", {}, stage.notes.map((note) => h("li", { dir: "auto" }, note))),
        );
      }),
    ),
  );
}
