/** The life of a record: its versions from the newest back, each with its state and what it changed. */

import { h } from "./dom.js";
import { badge, counted, moment } from "./words.js";

/** @typedef {import("./types.js").Version} Version */

const SIGNS = /** @type {Record<string, string>} */ ({ "+ ": "ins", "- ": "del" });
const READ_ALOUD = /** @type {Record<string, string>} */ ({ ins: "put in: ", del: "taken out: " });

/** @param {Version[]} versions oldest first */
export function versions(versions) {
  return h(
    "div",
    {},
    h("p", { class: "hint" }, versions.length === 1 ? "One version: it was never changed." : `${counted(versions.length, "version")}, the newest first.`),
    h("ol", { class: "chain", reversed: true }, [...versions].reverse().map(version)),
  );
}

/** @param {Version} one */
function version({ record, state, diff }) {
  return h(
    "li",
    { class: "version" },
    h("p", { class: "byline" }, h("strong", {}, `Version ${record.version}`), h("span", { class: "author", dir: "auto" }, record.author), moment(record.valid_from), badge(state)),
    record.title && h("p", { class: "title", dir: "auto" }, record.title),
    diff ? changes(diff) : h("p", { class: "verbatim", dir: "auto" }, record.text || `(${record.event ?? record.change})`),
    diff && h("details", {}, h("summary", {}, "The whole text"), h("p", { class: "verbatim", dir: "auto" }, record.text)),
  );
}

/**
 * A readable diff, line by line: what was taken out, what was put in, and what stands around it. A line that goes on
 * is indented below the sign of its first.
 * @param {string} diff
 */
export function changes(diff) {
  let sign = "";
  const lines = diff.split("\n").map((line) => {
    const start = SIGNS[line.slice(0, 2)];
    sign = start ?? (line.startsWith("    ") ? sign : "");
    const tag = /** @type {"ins" | "del" | "span"} */ (sign || "span");
    const text = line.slice(0, 2).trim() && !start ? line : line.slice(2);
    return h(tag, { class: "line" }, start && h("span", { class: "unseen" }, READ_ALOUD[start]), text);
  });
  return h("div", { class: "diff", dir: "auto" }, lines);
}
