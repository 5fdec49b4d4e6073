/** The box in which a question is asked, with its bounds: who asks, through whose eyes, as of when, known by when. */

import { read } from "./api.js";
import { fill, h } from "./dom.js";
import { address, go } from "./place.js";

/** @typedef {import("./place.js").Place} Place */

const PROFILES = ["treering", "egcforest", "mempp", "memgpp", "hybrid", "dense", "bm25"];
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * @param {Place} place
 * @param {AbortSignal} signal
 */
export function askForm(place, signal) {
  const question = h("textarea", {
    id: "question", name: "q", rows: 1, required: true, maxlength: 8000, enterkeyhint: "search", autocomplete: "off",
    placeholder: "Who approved the release, and when?", "aria-keyshortcuts": "/", dir: "auto",
  });
  question.value = place.q;
  const people = h("datalist", { id: "people" });
  const viewer = field("Seen by", "viewer", h("input", { name: "viewer", list: "people", value: place.viewer, placeholder: "the owner", autocomplete: "off" }));
  viewer.hidden = true; // until the server says that the reader is the owner
  const bounds = h(
    "details",
    { class: "bounds-fields", open: matchMedia("(min-width: 60rem)").matches || bounded(place) },
    h("summary", {}, "Bounds"),
    h(
      "div",
      { class: "fields" },
      field("Asked by", "asker", h("input", { name: "asker", list: "people", value: place.asker, placeholder: "anyone", autocomplete: "off" })),
      viewer,
      field("As of", "as_of", dateInput("as_of", place.as_of), "Only what held by the end of that day"),
      field("Known at", "known_at", dateInput("known_at", place.known_at), "Only what had been logged by then"),
      field("Profile", "profile", h("select", { name: "profile" }, PROFILES.map((name, at) => h("option", { value: at ? name : "", selected: name === place.profile }, name)))),
      h("label", { class: "check", title: "Beside the evidence, an answer made from it" }, h("input", { type: "checkbox", name: "answer", checked: place.answer !== "no" }), "Answer"),
    ),
  );
  const form = h(
    "form",
    { class: "ask", role: "search", "aria-label": "Ask the memory" },
    h("label", { class: "unseen", for: "question" }, "Question"),
    h("div", { class: "box" }, question, h("button", { class: "primary" }, "Ask")),
    bounds,
    people,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go(asked(new FormData(form)));
  });
  question.addEventListener("input", () => fit(question));
  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  requestAnimationFrame(() => fit(question));
  void suggest(people, viewer, signal);
  return form;
}

/**
 * The address that a filled form means.
 * @param {FormData} told
 */
function asked(told) {
  const value = (/** @type {string} */ name) => String(told.get(name) ?? "").trim();
  return address({
    q: value("q"), asker: value("asker"), viewer: value("viewer"), as_of: value("as_of"), known_at: value("known_at"),
    profile: value("profile"), answer: told.has("answer") ? "" : "no",
  });
}

/** @param {Place} place */
function bounded(place) {
  return Boolean(place.asker || place.viewer || place.as_of || place.known_at || place.profile || place.answer);
}

/**
 * A date by the browser's own picker; a link may carry a time too, which is then shown as it is written.
 * @param {string} name
 * @param {string} value
 */
function dateInput(name, value) {
  return h("input", { name, value, type: value && !DATE.test(value) ? "text" : "date" });
}

/**
 * @param {string} label
 * @param {string} name
 * @param {HTMLElement} input
 * @param {string} [hint]
 */
function field(label, name, input, hint = "") {
  const id = `field-${name}`;
  input.id = id;
  if (hint) input.title = hint;
  return h("div", { class: "field" }, h("label", { for: id }, label), input);
}

/** Makes the box as tall as the question. @param {HTMLTextAreaElement} question */
function fit(question) {
  question.rows = 1;
  const line = parseFloat(getComputedStyle(question).lineHeight) || 28;
  const padding = question.clientHeight - line;
  question.rows = Math.min(8, Math.max(1, Math.round((question.scrollHeight - padding) / line)));
}

/**
 * Names to choose from; the field for the viewer is the owner's alone.
 * @param {HTMLElement} people
 * @param {HTMLElement} viewer
 * @param {AbortSignal} signal
 */
async function suggest(people, viewer, signal) {
  const [status, { actors }] = await Promise.all([
    read("/v1/status", { viewer: "" }, signal),
    read("/v1/actors", { limit: 200 }, signal),
  ]).catch(() => [null, { actors: [] }]);
  viewer.hidden = !status || status.viewer !== null;
  const names = new Set(actors.map((/** @type {{name: string}} */ actor) => actor.name));
  fill(people, [...names].map((name) => h("option", { value: name })));
}
