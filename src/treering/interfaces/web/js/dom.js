/**
 * Making elements. Whatever comes from the memory enters the page as a text node here and nowhere else: no module of
 * the explorer parses HTML, so that no record can pose as a part of the page.
 */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Child | Child[] | (Child | Child[])[]} Children */
/** @typedef {Object<string, any>} Attributes */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Appends children; strings become text nodes, null and false nothing.
 * @param {Element | DocumentFragment} parent
 * @param {Children[]} children
 */
function append(parent, children) {
  for (const child of /** @type {Child[]} */ (children.flat(2))) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Sets attributes; `onclick` and the like take functions, true an empty attribute, false and null none.
 * @param {Element} element
 * @param {Attributes} attributes
 */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...Children} children
 * @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  set(element, attributes);
  append(element, children);
  return element;
}

/**
 * Replaces everything inside an element.
 * @param {Element} parent
 * @param {...Children} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/**
 * The element with that id; the page is broken without it.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * Says something to who cannot see the page change.
 * @param {string} message
 */
export function announce(message) {
  byId("announce").textContent = message;
}

/**
 * A message in the place of results: a failure, or that there is nothing.
 * @param {string} title
 * @param {string} [detail]
 * @param {"alert" | "note"} [role]
 */
export function notice(title, detail = "", role = "note") {
  return h("div", { class: `notice ${role}`, role }, h("strong", {}, title), detail && h("p", { dir: "auto" }, detail));
}

/** A sign that something is being fetched; shown by the style sheet only after a moment. */
export function waiting() {
  return h("p", { class: "waiting" }, "Reading the memory …");
}
