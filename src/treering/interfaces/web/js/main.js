/**
 * The explorer of a memory. This module wires: an address comes in, its view is drawn, the record it names opens beside
 * it. A view is a function (main, place, signal); the signal tells it that the reader has gone elsewhere.
 */

import { Problem, onTokenWanted } from "./api.js";
import * as ask from "./ask.js";
import { announce, byId, fill, notice } from "./dom.js";
import * as forests from "./forests.js";
import * as imports from "./imports.js";
import { showPanel } from "./panel.js";
import { START, address, follow } from "./place.js";
import { askForToken, startKeys, startTheme } from "./shell.js";
import * as status from "./status.js";
import * as timeline from "./timeline.js";

/** @typedef {import("./place.js").Place} Place */
/** @typedef {{show: (main: HTMLElement, place: Place, signal: AbortSignal) => Promise<void>}} View */

/** @type {Record<string, View & {title: string}>} */
const VIEWS = {
  ask: { ...ask, title: "Ask" },
  forests: { ...forests, title: "Forests" },
  timeline: { ...timeline, title: "Timeline" },
  import: { ...imports, title: "Import" },
  status: { ...status, title: "Status" },
};

let drawn = ""; // the address of the view that is shown, without the record beside it
let ofView = new AbortController();
let ofPanel = new AbortController();

/**
 * Shows a place; of a view that is shown already only the panel changes.
 * @param {Place} place
 */
async function arrive(place) {
  const view = place.view in VIEWS ? place.view : START.view;
  const now = `${address({ ...place, record: "", tab: "" })}`;
  ofPanel.abort();
  ofPanel = new AbortController();
  const opening = guarded(() => showPanel(place, ofPanel.signal));
  if (now !== drawn) {
    const first = !drawn;
    drawn = now;
    ofView.abort();
    ofView = new AbortController();
    frame(place, view);
    const main = byId("main");
    await guarded(() => VIEWS[view].show(main, place, ofView.signal));
    if (!first && !place.record && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
  }
  await opening;
}

/**
 * What is told of the place outside the view: the title, the current link, through whose eyes.
 * @param {Place} place
 * @param {string} view
 */
function frame(place, view) {
  document.title = `${view === "ask" && place.q ? place.q : VIEWS[view].title} · Treering`;
  for (const link of document.querySelectorAll(".views a")) {
    const name = link.getAttribute("data-view") ?? "";
    link.toggleAttribute("aria-current", false);
    if (name === view) link.setAttribute("aria-current", "page");
    link.setAttribute("href", address({ view: name, viewer: place.viewer, as_of: place.as_of, known_at: place.known_at }));
  }
  const bounds = [place.viewer && `as ${place.viewer}`, place.as_of && `as of ${place.as_of}`, place.known_at && `known at ${place.known_at}`].filter(Boolean);
  const eyes = byId("eyes");
  eyes.hidden = bounds.length === 0;
  eyes.textContent = bounds.join(", ");
  scrollTo({ top: 0 });
}

/**
 * Runs a view; what the server refuses is shown in its place, and what was called off is not an error.
 * @param {() => Promise<void>} show
 */
async function guarded(show) {
  try {
    await show();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    const main = byId("main");
    main.querySelector(".waiting")?.remove();
    const told = error instanceof Problem ? notice(error.title, error.message, "alert") : notice("The page has a fault", String(error), "alert");
    if (main.querySelector("h1")) main.append(told);
    else fill(main, told);
    announce(told.textContent ?? "");
    if (!(error instanceof Problem)) throw error;
  }
}

onTokenWanted(askForToken);
startTheme();
startKeys();
follow(arrive);
