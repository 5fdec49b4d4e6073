/** What stands around every view: the theme, the keyboard, and the two dialogs, help and the question for a token. */

import { byId, h } from "./dom.js";
import { closePanel } from "./panel.js";
import { go, here } from "./place.js";

const THEME = "treering.theme";
const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const KEYS = [
  ["/", "to the question"],
  ["j, k", "next, previous result"],
  ["Enter", "open the result in context"],
  ["w", "why it was found"],
  ["Esc", "close what is open"],
  ["?", "this help"],
];

/** Sets the theme up: the system's until the reader chooses. */
export function startTheme() {
  const button = byId("theme");
  const apply = (/** @type {string} */ theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[theme] ?? "Auto";
    button.setAttribute("aria-label", `Theme: ${button.textContent}`);
  };
  apply(localStorage.getItem(THEME) ?? "auto");
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.findIndex((one) => one === document.documentElement.dataset.theme) + 1) % THEMES.length];
    localStorage.setItem(THEME, next);
    apply(next);
  });
}

/** Listens to the keyboard wherever nobody is typing. */
export function startKeys() {
  byId("help").addEventListener("click", help);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]") && here().record) {
      closePanel();
      return;
    }
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = { "/": toQuestion, "?": help, j: () => step(1), k: () => step(-1), Enter: () => open(event), w: why }[event.key];
    if (!act) return;
    if (event.key !== "Enter") event.preventDefault();
    act();
  });
}

function toQuestion() {
  const box = document.getElementById("question");
  if (box) box.focus();
  else go("?");
  if (!box) document.getElementById("question")?.focus();
}

/** Moves the focus along the results. @param {number} by */
function step(by) {
  const items = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#main [data-item]")]).filter((one) => one.checkVisibility());
  if (!items.length) return;
  const now = items.findIndex((one) => one === document.activeElement || one.contains(document.activeElement));
  const next = items[now < 0 ? (by > 0 ? 0 : items.length - 1) : Math.min(items.length - 1, Math.max(0, now + by))];
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

/** Opens the focused result. @param {KeyboardEvent} event */
function open(event) {
  const item = event.target instanceof HTMLElement && event.target.matches("[data-item]") ? event.target : null;
  if (item?.tagName === "BUTTON") return; // it opens by itself
  const link = item?.querySelector("a.open");
  if (link instanceof HTMLElement) link.click();
}

function why() {
  const details = document.activeElement?.closest("[data-item]")?.querySelector("details.why");
  if (details instanceof HTMLDetailsElement) details.open = !details.open;
}

/** Shows a dialog and takes it out of the page when it closes. @param {HTMLDialogElement} dialog */
function present(dialog) {
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  return dialog;
}

function help() {
  present(
    h(
      "dialog",
      { "aria-labelledby": "help-title" },
      h("h2", { id: "help-title" }, "Keyboard"),
      h("dl", { class: "keys" }, KEYS.map(([key, what]) => [h("dt", {}, key.split(", ").map((one) => h("kbd", {}, one))), h("dd", {}, what)])),
      h("p", { class: "hint" }, "The address holds the question and its bounds: copy it to share what you see."),
      h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")),
    ),
  );
}

/**
 * Asks for a token.
 * @returns {Promise<string | null>} null: the reader gave up
 */
export function askForToken() {
  return new Promise((resolve) => {
    const token = h("input", { type: "password", id: "token", autocomplete: "off", required: true, spellcheck: "false" });
    const dialog = h(
      "dialog",
      { "aria-labelledby": "token-title" },
      h(
        "form",
        { method: "dialog" },
        h("h2", { id: "token-title" }, "This memory asks for a token"),
        h("p", { class: "hint" }, "It is kept in this tab until you close it, and sent to this server only."),
        h("label", { for: "token" }, "Token"),
        token,
        h("div", { class: "buttons" }, h("button", { class: "primary", value: "given" }, "Continue"), h("button", { class: "quiet", value: "", formnovalidate: true }, "Cancel")),
      ),
    );
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "given" && token.value ? token.value.trim() : null));
    present(dialog);
  });
}
