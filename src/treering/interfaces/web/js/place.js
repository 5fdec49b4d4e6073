/**
 * Where the reader is, kept in the address alone: the view, the question, its bounds, the record that is open. So every
 * link reproduces what its sender saw, as far as the receiver may see it, and the browser's own Back works.
 */

/**
 * @typedef {object} Place
 * @property {string} view ask, forests, timeline, import or status
 * @property {string} q the question
 * @property {string} asker
 * @property {string} viewer the owner's choice of eyes
 * @property {string} as_of
 * @property {string} known_at
 * @property {string} profile
 * @property {string} answer "no": evidence only
 * @property {string} forest
 * @property {string} tree a tree's key
 * @property {string} of what a timeline is of, as "artifact:PAY-311"
 * @property {string} at where a timeline begins
 * @property {string} record the record in the panel
 * @property {string} tab of the panel
 */

/** @type {Place} */
export const START = Object.freeze({
  view: "ask", q: "", asker: "", viewer: "", as_of: "", known_at: "", profile: "", answer: "",
  forest: "", tree: "", of: "", at: "", record: "", tab: "",
});

const NAMES = /** @type {(keyof Place)[]} */ (Object.keys(START));
const BOUNDS = /** @type {(keyof Place)[]} */ (["viewer", "as_of", "known_at"]);

/** @type {(place: Place) => void} */
let arrived = () => {};

/**
 * The place that an address means; names it does not know are left alone.
 * @param {string} [search]
 * @returns {Place}
 */
export function here(search = location.search) {
  const told = new URLSearchParams(search);
  const place = { ...START };
  for (const name of NAMES) place[name] = told.get(name) ?? START[name];
  return place;
}

/**
 * The address of a place.
 * @param {Partial<Place>} place
 */
export function address(place) {
  const told = new URLSearchParams();
  for (const name of NAMES) {
    const value = place[name];
    if (value && value !== START[name]) told.set(name, value);
  }
  return `?${told}`;
}

/**
 * A link that changes something of where the reader is.
 * @param {Partial<Place>} changes
 */
export const near = (changes) => address({ ...here(), ...changes });

/**
 * A link to another view, under the bounds that hold here.
 * @param {Partial<Place>} changes
 */
export function elsewhere(changes) {
  const now = here();
  return address({ ...Object.fromEntries(BOUNDS.map((name) => [name, now[name]])), ...changes });
}

/**
 * Goes to an address and shows it.
 * @param {string} to
 * @param {{replace?: boolean}} [how]
 */
export function go(to, { replace = false } = {}) {
  if (replace || to === (location.search || "?")) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  arrived(here());
}

/**
 * Calls back now and whenever the reader arrives somewhere, by a link of ours or by Back and Forward.
 * @param {(place: Place) => void} callback
 */
export function follow(callback) {
  arrived = callback;
  addEventListener("popstate", () => callback(here()));
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href^='?']") : null;
    const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!link || !plain || event.defaultPrevented) return;
    event.preventDefault();
    go(link.getAttribute("href") ?? "?");
  });
  callback(here());
}
