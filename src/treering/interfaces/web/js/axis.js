/**
 * Time drawn: a strip of months, the stretch of a node within its tree, and the rings of a whole memory, one a month.
 * All are inline SVG with sizes as attributes, so that the page needs no inline style.
 */

import { h, s } from "./dom.js";
import { counted, interval, month } from "./words.js";

/** @typedef {import("./types.js").Month} Month */

const STRIP = { width: 860, height: 70, base: 44, tall: 36 };
const RINGS = { size: 300, core: 8, widest: 140, steps: 72, grain: 5.5 };
const LABELS_MAX = 8;

/**
 * Every month from the first to the last, the empty ones too.
 * @param {Month[]} months
 * @returns {Month[]}
 */
function unbroken(months) {
  if (!months.length) return [];
  const held = new Map(months.map((one) => [one.month, one.records]));
  const [last] = months.slice(-1);
  const all = [];
  let [year, number] = months[0].month.split("-").map(Number);
  for (;;) {
    const name = `${String(year).padStart(4, "0")}-${String(number).padStart(2, "0")}`;
    all.push({ month: name, records: held.get(name) ?? 0 });
    if (name >= last.month) return all;
    [year, number] = number === 12 ? [year + 1, 1] : [year, number + 1];
  }
}

/**
 * How far into the months a time lies, from 0 to 1.
 * @param {string} iso
 * @param {Month[]} months
 */
function along(iso, months) {
  const at = months.findIndex((one) => one.month === iso.slice(0, 7));
  if (at < 0) return iso.slice(0, 7) < months[0].month ? 0 : 1;
  return (at + (Number(iso.slice(8, 10)) - 0.5) / 31) / months.length;
}

/**
 * A strip of months: a bar for how much was said, a dot for each mark. With `link`, each month leads somewhere.
 * @param {Month[]} told
 * @param {{marks?: string[], bound?: string, link?: (month: string) => string, label: string}} options
 */
export function strip(told, { marks = [], bound = "", link, label }) {
  const months = unbroken(told);
  if (!months.length) return null;
  const { width, height, base, tall } = STRIP;
  const step = width / months.length;
  const most = Math.max(...months.map((one) => one.records), 1);
  const every = Math.ceil(months.length / LABELS_MAX);
  const bars = months.map((one, at) => {
    const rise = one.records ? Math.max(2, (one.records / most) * tall) : 0;
    const words = `${month(one.month)}: ${counted(one.records, "record")}`;
    const parts = [
      s("title", {}, words),
      s("rect", { class: "reach", x: at * step, y: 0, width: step, height }),
      s("rect", { class: "bar", x: at * step + step * 0.12, y: base - rise, width: step * 0.76, height: rise, rx: 2 }),
      at % every === 0 && s("text", { class: (at / every) % 2 ? "second" : null, x: at * step + step / 2, y: height - 3, "text-anchor": "middle" }, month(one.month)),
    ];
    return link ? s("a", { href: link(one.month), "aria-label": words }, parts) : s("g", {}, parts);
  });
  const dots = marks.map((iso) => s("circle", { class: "dot", cx: along(iso, months) * width, cy: base, r: 4.5 }));
  const line = bound && s("line", { class: "bound", x1: along(bound, months) * width, x2: along(bound, months) * width, y1: 0, y2: base + 6 });
  const drawing = s(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "strip", role: link ? "group" : "img", "aria-label": label },
    s("line", { class: "ground", x1: 0, x2: width, y1: base, y2: base }), bars, line, dots,
  );
  return h("div", { class: "axis" }, drawing);
}

/**
 * Where a stretch of time lies within a longer one: the time axis of a tree, one line of it.
 * @param {string | null} first
 * @param {string | null} last
 * @param {[string | null, string | null]} whole
 */
export function stretch(first, last, whole) {
  const [start, end] = whole.map((iso) => Date.parse(iso ?? ""));
  const [from, to] = [first, last].map((iso) => Date.parse(iso ?? ""));
  const span = Math.max(end - start, 1);
  const x = Math.min(98, (100 * (from - start)) / span);
  const width = Math.max(2, (100 * (to - from)) / span);
  return s(
    "svg",
    { class: "stretch", viewBox: "0 0 100 8", preserveAspectRatio: "none", role: "img", "aria-label": interval(first, last) },
    s("rect", { class: "rail", x: 0, y: 3, width: 100, height: 2 }),
    s("rect", { class: "bar", x: Number.isFinite(x) ? x : 0, y: 1, width: Number.isFinite(width) ? Math.min(width, 100 - x) : 100, height: 6 }),
  );
}

/**
 * The cross-section of a memory: a ring a month, from the pith outwards, as wide as much was said in it.
 * @param {Month[]} told
 */
export function rings(told) {
  const months = unbroken(told);
  const { size, core, widest } = RINGS;
  const weights = months.map((one) => 0.25 + Math.sqrt(one.records));
  const unit = (widest - core) / Math.max(weights.reduce((sum, one) => sum + one, 0), 1);
  let radius = core;
  /** @type {SVGElement[]} */
  const grain = []; // what fills a wide ring, so that it reads as wood
  const drawn = months.map((one, at) => {
    const inner = radius;
    radius += weights[at] * unit;
    const grains = Math.floor((radius - inner) / RINGS.grain);
    for (let one = 1; one < grains; one += 1) grain.push(s("path", { class: "grain", d: wobbly(inner + ((radius - inner) * one) / grains, at + one * 0.6) }));
    return s("path", { class: `ring${at === months.length - 1 ? " bark" : ""}`, d: wobbly(radius, at) }, s("title", {}, `${month(one.month)}: ${counted(one.records, "record")}`));
  });
  return s(
    "svg",
    { class: "rings", viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, role: "img", "aria-label": `The rings of this memory: ${counted(months.length, "month")}, one ring each` },
    drawn.reverse(),
    grain,
    s("circle", { class: "pith", r: 3 }),
  );
}

/**
 * A closed line around the middle that is nearly a circle, as wood grows.
 * @param {number} radius
 * @param {number} ring
 */
function wobbly(radius, ring) {
  const points = Array.from({ length: RINGS.steps }, (_, step) => {
    const turn = (2 * Math.PI * step) / RINGS.steps;
    const off = 1 + 0.018 * Math.sin(2 * turn + 0.9) + 0.012 * Math.sin(3 * turn + ring * 0.35) + 0.006 * Math.sin(7 * turn + ring);
    return `${(radius * off * Math.cos(turn)).toFixed(1)} ${(radius * off * Math.sin(turn)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}
