/**
 * What was said of one thing, in order of time: above all the life of an artifact over all channels. A strip of months
 * shows how much, and leads to each; steps that a text states (approved, released) stand out where the memory tells them.
 */

import { read } from "./api.js";
import { strip } from "./axis.js";
import { entry } from "./cards.js";
import { fill, h, notice, waiting } from "./dom.js";
import { elsewhere, go, near } from "./place.js";
import { counted, month } from "./words.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./types.js").Entry} Entry */
/** @typedef {import("./types.js").Timeline} Timeline */
/** @typedef {import("./types.js").Tree} Tree */

const PAGE = 60;
const CHOICES = 100; // trees of a view that are offered; any other is reached from the forests

/**
 * @param {HTMLElement} main
 * @param {Place} place
 * @param {AbortSignal} signal
 */
export async function show(main, place, signal) {
  const body = h("div", {}, waiting());
  const choices = h("select", { id: "of" });
  fill(main, h("h1", {}, "Timeline"), h("div", { class: "filter" }, h("label", { for: "of" }, "Of"), choices), body);
  choices.addEventListener("change", () => go(elsewhere({ view: "timeline", of: choices.value })));
  const { trees } = await read("/v1/trees", { view: "artifact", limit: CHOICES, as_of: place.as_of }, signal);
  const longest = [...trees].sort((a, b) => b.leaves - a.leaves)[0];
  const of = place.of || (longest ? `artifact:${named(longest)}` : "");
  const channels = (await read("/v1/trees", { view: "channel", limit: CHOICES, as_of: place.as_of }, signal)).trees;
  const offered = [...options("Artifacts", trees, of), ...options("Channels", channels, of)];
  fill(choices, offered);
  if (![...choices.options].some((one) => one.value === of)) choices.prepend(h("option", { value: of, selected: true }, of || "everything"));
  await life(body, of, place, signal);
}

/** What a tree is called, without its kind. @param {Tree} one */
const named = (one) => one.label.replace(/^(channel|artifact) /, "");

/**
 * @param {string} label
 * @param {Tree[]} trees
 * @param {string} chosen  by key, or by name as a person writes it
 */
function options(label, trees, chosen) {
  if (!trees.length) return [];
  return [
    h(
      "optgroup",
      { label },
      trees.map((one) => {
        const of = chosen === `${one.view}:${named(one)}` ? chosen : `${one.view}:${one.key}`;
        return h("option", { value: of, selected: of === chosen }, `${named(one)} (${one.leaves})`);
      }),
    ),
  ];
}

/**
 * @param {HTMLElement} body
 * @param {string} of
 * @param {Place} place
 * @param {AbortSignal} signal
 */
async function life(body, of, place, signal) {
  const list = h("ol", { class: "life" });
  const later = h("button", { type: "button", class: "quiet" }, "Later");
  /** @param {string | null} cursor @returns {Promise<Timeline>} */
  const load = (cursor) => read("/v1/timeline", { of, at: cursor ? "" : place.at, cursor, limit: PAGE, as_of: place.as_of, known_at: place.known_at }, signal);
  const first = await load(null);
  /** @param {Timeline} page */
  const more = (page) => {
    list.append(...byMonth(page.records, list.dataset.month ?? ""));
    list.dataset.month = page.records.at(-1)?.valid_from.slice(0, 7) ?? "";
    later.hidden = !page.after;
    later.onclick = async () => more(await load(page.after));
  };
  more(first);
  const [from, to] = [first.months[0]?.month, first.months.at(-1)?.month];
  fill(
    body,
    h("header", { class: "tree-head" }, h("h2", { dir: "auto" }, first.label), h("p", { class: "hint" }, from && to ? `${counted(first.total, "record")}, ${month(from)}${from === to ? "" : ` – ${month(to)}`}` : counted(first.total, "record"))),
    strip(first.months, { marks: steps(first.records), bound: place.as_of, link: (name) => near({ of, at: `${name}-01T00:00:00Z` }), label: `Months of ${first.label}; each leads to what was said in it` }),
    steps(first.records).length > 0 && h("p", { class: "hint" }, "Dots on the axis: a step was stated, such as approved or released."),
    place.at && h("p", {}, h("a", { href: near({ at: "" }) }, "From the beginning")),
    first.records.length ? list : notice("Nothing is visible here within these bounds"),
    later,
  );
}

/** @param {Entry[]} records */
function steps(records) {
  return records.filter((record) => record.transitions?.length).map((record) => record.valid_from);
}

/**
 * Entries with a heading wherever a month begins.
 * @param {Entry[]} records
 * @param {string} before the month that the list ends with
 */
function byMonth(records, before) {
  let now = before;
  return records.flatMap((record) => {
    const name = record.valid_from.slice(0, 7);
    const begins = name !== now;
    now = name;
    const item = entry(record, { place: true });
    return begins ? [h("li", { class: "month" }, h("h3", {}, month(name))), item] : [item];
  });
}
