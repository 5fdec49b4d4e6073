/**
 * The view in which a question is asked: the box with its bounds, the answer, and the evidence in rank order. The
 * evidence arrives first; the answer, made from it, follows.
 */

import { Problem, ask, read, search } from "./api.js";
import { rings, strip } from "./axis.js";
import { evidenceCard } from "./cards.js";
import { announce, fill, h, notice, waiting } from "./dom.js";
import { askForm } from "./form.js";
import { elsewhere } from "./place.js";
import { counted, day } from "./words.js";
import { stages } from "./why.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {import("./types.js").SearchReply} SearchReply */
/** @typedef {import("./types.js").AskReply} AskReply */

const EXAMPLES = ["Who approved the release, and when?", "What was decided last month?", "What is still blocked, and by whom?"];
const REFERENCE = /\[(\d+)\]/;

/**
 * @param {HTMLElement} main
 * @param {Place} place
 * @param {AbortSignal} signal
 */
export async function show(main, place, signal) {
  const results = h("section", { class: "results", "aria-label": "Results" });
  fill(main, h("h1", { class: place.q ? "unseen" : "lead" }, "Ask the record"), askForm(place, signal), results);
  await (place.q ? answered(results, place, signal) : welcome(results, signal));
}

/**
 * What stands below the box before anything was asked: the rings of this memory, and questions to begin with.
 * @param {HTMLElement} results
 * @param {AbortSignal} signal
 */
async function welcome(results, signal) {
  const { total, months } = await read("/v1/timeline", { limit: 1 }, signal);
  if (!total) {
    fill(results, notice("Nothing is in this memory yet", "Import an export or some documents to begin."), h("p", {}, h("a", { class: "button", href: elsewhere({ view: "import" }) }, "Import")));
    return;
  }
  fill(
    results,
    h(
      "div",
      { class: "welcome" },
      rings(months),
      h(
        "div",
        {},
        h("p", { class: "hint" }, `${counted(total, "record")} in ${counted(months.length, "month")}: a ring a month, as wide as much was said.`),
        h("h2", {}, "For example"),
        h("ul", { class: "examples" }, EXAMPLES.map((q) => h("li", {}, h("a", { href: elsewhere({ q }) }, q)))),
      ),
    ),
  );
}

/**
 * @param {HTMLElement} results
 * @param {Place} place
 * @param {AbortSignal} signal
 */
async function answered(results, place, signal) {
  const answer = h("div", { class: "answer-place" });
  const evidence = h("div", {}, waiting());
  fill(results, answer, evidence);
  const { q: question, profile, asker, as_of, known_at } = place;
  const bounds = Object.fromEntries(Object.entries({ profile, asker, as_of, known_at }).filter(([, value]) => value));
  const request = { question, ...bounds, explain: true };
  /** @type {SearchReply | null} */
  let found = null;
  /** @param {SearchReply} reply */
  const showEvidence = (reply) => {
    found = reply;
    fill(evidence, evidenceList(reply));
    announce(reply.evidence.length ? `${counted(reply.evidence.length, "piece")} of evidence` : "Nothing found within these bounds");
    void along(evidence, reply, place, signal);
  };
  try {
    if (place.answer === "no") {
      showEvidence(await search(request, signal));
      return;
    }
    let text = "";
    await ask(
      request,
      {
        evidence: showEvidence,
        text: (piece) => fill(answer, written((text += piece), found)),
        answer: (reply) => fill(answer, written(reply.text, found, reply)),
      },
      signal,
    );
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    fill(found ? answer : evidence, notice(error.title, error.message, "alert"));
  }
}

/**
 * The evidence, with what a reader must know about it.
 * @param {SearchReply} found
 */
function evidenceList(found) {
  const held = Object.entries(found.bounds).filter(([name, value]) => value && !(name === "zone" && value === "UTC"));
  return [
    h(
      "div",
      { class: "summary-line" },
      h("h2", {}, found.evidence.length ? `${counted(found.evidence.length, "piece")} of evidence` : "Nothing found within these bounds"),
      h("p", { class: "hint" }, `${counted(found.tokens, "token")} · profile ${found.profile}`),
    ),
    held.length > 0 && h("ul", { class: "bounds", "aria-label": "Bounds that applied" }, held.map(([name, value]) => h("li", {}, `${name.replace("_", " ")} ${value}`))),
    found.notes.map((note) => h("p", { class: "remark", dir: "auto" }, note)),
    h("div", { class: "axis-place" }),
    h("ol", { class: "cards" }, found.evidence.map((item, at) => evidenceCard(item, at + 1, found.question))),
    found.headers.length > 0 && headers(found),
    found.facts.length > 0 &&
      h("details", { class: "why" }, h("summary", {}, "Facts that records state"), h("ul", {}, found.facts.map((fact) => h("li", { dir: "auto" }, `${fact.subject} ${fact.relation} ${fact.object} (${day(fact.valid_from)})`)))),
    found.trace && stages(found.trace),
  ];
}

/** @param {SearchReply} found */
function headers(found) {
  return h(
    "details",
    { class: "why" },
    h("summary", {}, "Summaries above the evidence"),
    h("p", { class: "hint" }, "Generated to find the way; not evidence."),
    found.headers.map(({ tree, level, text }) => h("p", { class: "generated", dir: "auto" }, h("strong", {}, `${tree}, level ${level}: `), text)),
  );
}

/**
 * Draws when the evidence was said, over what all the memory holds.
 * @param {HTMLElement} evidence
 * @param {SearchReply} found
 * @param {Place} place
 * @param {AbortSignal} signal
 */
async function along(evidence, found, place, signal) {
  if (!found.evidence.length) return;
  const { months } = await read("/v1/timeline", { limit: 1 }, signal).catch(() => ({ months: [] }));
  const drawing = strip(months, { marks: found.evidence.map((item) => item.valid_from), bound: found.bounds.as_of ?? "", label: `When the evidence was said, ${place.as_of ? `as of ${place.as_of}` : "over all the memory"}` });
  const spot = evidence.querySelector(".axis-place");
  if (drawing && spot) fill(spot, drawing);
}

/**
 * An answer; its references lead to the evidence.
 * @param {string} text
 * @param {SearchReply | null} found
 * @param {AskReply} [reply] once it is whole
 */
function written(text, found, reply) {
  const lines = text.split("\n").filter((line) => line.trim());
  const said = lines.map((line) => h(line.startsWith("- ") ? "li" : "p", { dir: "auto" }, references(line.replace(/^- /, ""), found)));
  const items = said.filter((one) => one.tagName === "LI");
  return h(
    "section",
    { class: `answer${reply && !reply.supported ? " unsupported" : ""}`, "aria-label": "Answer", "aria-busy": reply ? null : "true" },
    said.filter((one) => one.tagName === "P"),
    items.length > 0 && h("ul", {}, items),
    reply && h("p", { class: "hint" }, reply.model.startsWith("extractive") ? "Quoted from the evidence below by rule." : `Written by ${reply.model} from the evidence below; quotations checked against it.`),
    reply && !reply.supported && h("p", { class: "hint" }, reply.searched),
  );
}

/**
 * @param {string} line
 * @param {SearchReply | null} found
 */
function references(line, found) {
  return line.split(REFERENCE).map((piece, at) => {
    if (at % 2 === 0) return piece;
    const item = found?.evidence[Number(piece) - 1];
    return item ? h("a", { class: "reference", href: `#evidence-${item.id}`, "aria-label": `evidence ${piece}` }, piece) : `[${piece}]`;
  });
}
