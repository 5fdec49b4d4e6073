/**
 * Values as people read them: times, counts, states; and a text with its matches marked. Times are shown in UTC, as
 * citations spell them, so that what is read here can be found again.
 */

import { h } from "./dom.js";

const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });
const COUNT = new Intl.NumberFormat("en");
const SHORT_MAX = 2; // letters of a word that is too common to be marked, in scripts with letters
const COMMON = new Set(
  "the and was were has have had been are for did does who what when why how which that this with from can could there".split(" "),
);

/** @param {string | null} iso */
export const day = (iso) => (iso ? DAY.format(new Date(iso)) : "");

/** @param {string} iso  a date, or a month as "2025-12" */
export const month = (iso) => MONTH.format(new Date(iso.length === 7 ? `${iso}-01T00:00:00Z` : iso));

/** @param {string} iso */
export const clock = (iso) => iso.slice(11, 16);

/** @param {number} number */
export const count = (number) => COUNT.format(number);

/**
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export const counted = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

/**
 * A time as an element: "3 Dec 2025, 09:50 UTC".
 * @param {string} iso
 */
export function moment(iso) {
  return h("time", { datetime: iso, title: iso }, `${day(iso)}, ${clock(iso)} UTC`);
}

/**
 * From the first day to the last.
 * @param {string | null} first
 * @param {string | null} last
 */
export function interval(first, last) {
  const [from, to] = [day(first), day(last)];
  return from === to ? from : `${from} – ${to}`;
}

/**
 * The state of a record as a badge; its kind, told by the first word, chooses the colour.
 * @param {string} state
 */
export function badge(state) {
  const kind = state.split(" ", 1)[0] || "current";
  return h("span", { class: `badge ${["current", "superseded", "retired", "edited", "deleted"].includes(kind) ? kind : "other"}` }, state);
}

/**
 * The distinct words of a question that are worth marking in a text.
 * @param {string} question
 * @returns {string[]}
 */
function keywords(question) {
  const found = words(question).filter(({ word }) => {
    const latin = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]+$/u.test(word);
    return !latin || (word.length > SHORT_MAX && !COMMON.has(word));
  });
  return [...new Set(found.map(({ word }) => word.replace(/(?:ed|es|ing|e|s|al)$/u, "")))].filter((stem) => stem);
}

/**
 * The words of a text, folded, and where they stand.
 * @param {string} text
 * @returns {{word: string, from: number, to: number}[]}
 */
function words(text) {
  const segments = new Intl.Segmenter("und", { granularity: "word" }).segment(text);
  return [...segments]
    .filter((one) => one.isWordLike)
    .map((one) => ({ word: one.segment.toLocaleLowerCase(), from: one.index, to: one.index + one.segment.length }));
}

/**
 * A text with what matched marked: the spans that the memory gives or, where a short message matched as a whole, the
 * words it shares with the question.
 * @param {string} text
 * @param {[number, number][]} spans in code points, as Python counts
 * @param {string} question
 * @returns {(string | HTMLElement)[]}
 */
export function marked(text, spans, question) {
  const points = [...text];
  const whole = spans.length === 0 || spans.some(([from, to]) => from <= 0 && to >= points.length);
  if (!whole) {
    return cut(points.length, spans, (from, to) => points.slice(from, to).join(""));
  }
  const stems = keywords(question);
  const shared = words(text).filter(({ word }) => stems.some((stem) => word.startsWith(stem) && word.length - stem.length <= 4));
  return cut(text.length, shared.map(({ from, to }) => [from, to]), (from, to) => text.slice(from, to));
}

/**
 * @param {number} length
 * @param {number[][]} ranges
 * @param {(from: number, to: number) => string} slice
 */
function cut(length, ranges, slice) {
  /** @type {(string | HTMLElement)[]} */
  const pieces = [];
  let end = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from < end) continue;
    pieces.push(slice(end, from), h("mark", {}, slice(from, to)));
    end = to;
  }
  pieces.push(slice(end, length));
  return pieces;
}
