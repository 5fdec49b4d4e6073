/**
 * The forests as a reader walks through them: the trees of one kind on a common axis of time, and a tree whose nodes
 * open one level at a time, with their summaries, down to the records. Summaries are generated, and set apart as such.
 */

import { read } from "./api.js";
import { stretch } from "./axis.js";
import { entries } from "./cards.js";
import { announce, fill, h, notice, waiting } from "./dom.js";
import { elsewhere } from "./place.js";
import { counted, interval } from "./words.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./types.js").Tree} Tree */
/** @typedef {import("./types.js").TreeNode} TreeNode */

const PAGE = 60;
const FORESTS = /** @type {Record<string, {name: string, what: string}>} */ ({
  channel: { name: "Channels", what: "One tree a channel: what was said in a place." },
  actor: { name: "Actors", what: "One tree a participant: what they wrote, and where they were mentioned." },
  artifact: { name: "Artifacts", what: "One tree a deliverable: what several channels say of one thing." },
  thread: { name: "Threads", what: "One tree a conversation within a channel." },
});

/**
 * @param {HTMLElement} main
 * @param {Place} place
 * @param {AbortSignal} signal
 */
export async function show(main, place, signal) {
  const forest = place.forest in FORESTS ? place.forest : "channel";
  const body = h("div", {}, waiting());
  fill(
    main,
    h("h1", {}, "Forests"),
    h(
      "nav",
      { class: "tabs", "aria-label": "Forests" },
      Object.entries(FORESTS).map(([id, { name }]) => h("a", { href: elsewhere({ view: "forests", forest: id }), "aria-current": id === forest ? "page" : null }, name)),
    ),
    body,
  );
  await (place.tree ? tree(body, forest, place, signal) : trees(body, forest, place, signal));
}

/**
 * @param {HTMLElement} body
 * @param {string} forest
 * @param {Place} place
 * @param {AbortSignal} signal
 */
async function trees(body, forest, place, signal) {
  const list = h("ol", { class: "trees" });
  const more = h("button", { type: "button", class: "quiet", hidden: true }, "More");
  const found = h("p", { class: "hint", "aria-live": "polite" });
  const filter = h("input", { type: "search", id: "filter", placeholder: "Part of a name", autocomplete: "off" });
  /** @type {[string, string]} */
  let whole = ["", ""];
  /** @param {string | null} cursor */
  const load = async (cursor) => {
    const page = await read("/v1/trees", { view: forest, q: filter.value, cursor, limit: PAGE, as_of: place.as_of, known_at: place.known_at }, signal);
    if (!cursor) {
      fill(list);
      whole = span(page.trees);
    }
    list.append(...page.trees.map((/** @type {Tree} */ one) => treeRow(one, whole)));
    fill(found, counted(page.total, "tree"));
    more.hidden = !page.next;
    more.onclick = () => load(page.next);
  };
  let typing = 0;
  filter.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => load(null), 200);
  });
  await load(null);
  fill(body, h("p", {}, FORESTS[forest].what), h("div", { class: "filter" }, h("label", { for: "filter" }, "Filter"), filter, found), list, more);
}

/**
 * @param {Tree[]} trees
 * @returns {[string, string]}
 */
function span(trees) {
  const firsts = trees.map((one) => one.first).sort();
  const lasts = trees.map((one) => one.last).sort();
  return [firsts[0] ?? "", lasts[lasts.length - 1] ?? ""];
}

/**
 * @param {Tree} one
 * @param {[string, string]} whole
 */
function treeRow(one, whole) {
  return h(
    "li",
    { "data-item": one.key, tabindex: -1 },
    h("a", { class: "open", dir: "auto", href: elsewhere({ view: "forests", forest: one.view, tree: one.key }) }, one.label.replace(/^(channel|actor|artifact|thread) /, "")),
    h("span", { class: "leaves" }, counted(one.leaves, "leaf", "leaves")),
    stretch(one.first, one.last, whole),
    h("span", { class: "when" }, interval(one.first, one.last)),
  );
}

/**
 * @param {HTMLElement} body
 * @param {string} forest
 * @param {Place} place
 * @param {AbortSignal} signal
 */
async function tree(body, forest, place, signal) {
  const path = `/v1/trees/${forest}/${encodeURIComponent(place.tree)}`;
  /** @param {string} node @returns {Promise<{label: string, node: TreeNode}>} */
  const load = (node) => read(path, { node, depth: 1, as_of: place.as_of, known_at: place.known_at }, signal);
  const { label, node: root } = await load("");
  const of = `${forest}:${place.tree}`;
  fill(
    body,
    h("p", { class: "crumbs" }, h("a", { href: elsewhere({ view: "forests", forest }) }, FORESTS[forest].name), h("span", { "aria-hidden": "true" }, " › "), h("span", { dir: "auto" }, label)),
    h(
      "header",
      { class: "tree-head" },
      h("h2", { dir: "auto" }, label),
      h("p", { class: "hint" }, `${counted(root.leaves, "leaf", "leaves")}, ${interval(root.first, root.last)}`),
      h("p", {}, h("a", { href: elsewhere({ view: "timeline", of }) }, "As a timeline")),
    ),
    summary(root.summary),
    below(root, [root.first, root.last], load),
  );
}

/** @param {string} text */
function summary(text) {
  return text ? h("p", { class: "generated", dir: "auto" }, text) : null;
}

/**
 * What hangs below a node that was loaded.
 * @param {TreeNode} node
 * @param {[string | null, string | null]} whole the tree's own stretch of time
 * @param {(node: string) => Promise<{node: TreeNode}>} load
 */
function below(node, whole, load) {
  if (node.records.length) return entries(node.records, { place: true });
  if (!node.children.length) return notice("Nothing below it is visible within these bounds");
  return h("ul", { class: "nodes" }, node.children.map((child) => branch(child, whole, load)));
}

/**
 * A node that opens.
 * @param {TreeNode} node
 * @param {[string | null, string | null]} whole
 * @param {(node: string) => Promise<{node: TreeNode}>} load
 */
function branch(node, whole, load) {
  const inside = h("div", { class: "inside", id: `node-${node.path.replaceAll("/", "-")}`, hidden: true });
  const button = h(
    "button",
    { type: "button", class: "node", "data-item": node.path, "aria-expanded": "false", "aria-controls": inside.id },
    h("span", { class: "label", dir: "auto" }, node.label),
    h("span", { class: "leaves" }, counted(node.leaves, "leaf", "leaves")),
    stretch(node.first, node.last, whole),
  );
  button.addEventListener("click", async () => {
    const open = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(open));
    inside.hidden = !open;
    if (!open || inside.hasChildNodes()) return;
    fill(inside, waiting());
    try {
      const loaded = (await load(node.path)).node;
      fill(inside, below(loaded, whole, load));
      announce(`${node.label}: ${counted(loaded.leaves, "leaf", "leaves")}`);
    } catch (error) {
      fill(inside, notice("This node cannot be shown", /** @type {Error} */ (error).message, "alert"));
    }
  });
  return h("li", {}, button, summary(node.summary), inside);
}
