/**
 * The REST verbs that the explorer uses, and nothing else of the network. A refused call becomes a `Problem` with the
 * server's own words; a missing token is asked for once and kept for this browser tab only.
 */

import { here } from "./place.js";

/** @typedef {import("./types.js").SearchReply} SearchReply */
/** @typedef {import("./types.js").AskReply} AskReply */
/** @typedef {import("./types.js").Job} Job */
/** @typedef {Object<string, string | number | boolean | null | undefined>} Params */

const TOKEN = "treering.token";

/** A call that the server refused, or that did not reach it. */
export class Problem extends Error {
  /**
   * @param {string} title
   * @param {string} detail
   * @param {number} status 0: not reached
   */
  constructor(title, detail, status) {
    super(detail || title);
    this.title = title;
    this.status = status;
  }
}

/** @type {() => Promise<string | null>} */
let askForToken = async () => null;
/** @type {Promise<string | null> | null} */
let asking = null;

/**
 * Sets who is asked for a token when the server wants one; null means the reader gave up.
 * @param {() => Promise<string | null>} ask
 */
export function onTokenWanted(ask) {
  askForToken = ask;
}

/** Forgets the token of this tab. */
export const forgetToken = () => sessionStorage.removeItem(TOKEN);

/** Whether this tab has a token. */
export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

/**
 * A call; empty parameters are left out, and the viewer of the address goes with each.
 * @param {string} path
 * @param {{params?: Params, body?: BodyInit | object, accept?: string, signal?: AbortSignal}} [options]
 * @returns {Promise<Response>}
 */
async function call(path, { params = {}, body, accept = "application/json", signal } = {}) {
  const told = new URLSearchParams();
  for (const [name, value] of Object.entries({ viewer: here().viewer, ...params })) {
    if (value !== "" && value !== null && value !== undefined) told.set(name, String(value));
  }
  const token = sessionStorage.getItem(TOKEN);
  /** @type {Record<string, string>} */
  const headers = { Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  const form = body instanceof FormData;
  if (body && !form) headers["Content-Type"] = "application/json";
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`${path}${told.size ? `?${told}` : ""}`, {
      method: body ? "POST" : "GET",
      headers,
      body: form || !body ? /** @type {FormData | undefined} */ (body) : JSON.stringify(body),
      signal,
      credentials: "same-origin",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem("The server does not answer", "Is `treering serve` still running?", 0);
  }
  if (response.ok) return response;
  if (response.status === 401) {
    asking ??= askForToken().finally(() => (asking = null));
    const given = await asking;
    if (given) {
      sessionStorage.setItem(TOKEN, given);
      return call(path, { params, body, accept, signal });
    }
  }
  throw await problemOf(response);
}

/** @param {Response} response */
async function problemOf(response) {
  const text = await response.text();
  try {
    const { title, detail } = JSON.parse(text);
    return new Problem(title ?? `Error ${response.status}`, typeof detail === "string" ? detail : "", response.status);
  } catch {
    return new Problem(`Error ${response.status}`, text.slice(0, 200), response.status);
  }
}

/**
 * The JSON of a call.
 * @param {string} path
 * @param {Params} [params]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function read(path, params = {}, signal = undefined) {
  return (await call(path, { params, signal })).json();
}

/**
 * Evidence for a question.
 * @param {object} request
 * @param {AbortSignal} signal
 * @returns {Promise<SearchReply>}
 */
export async function search(request, signal) {
  return (await call("/v1/search", { body: request, signal })).json();
}

/**
 * Evidence first, then an answer made from it, piece by piece as it is written.
 * @param {object} request
 * @param {{evidence: (found: SearchReply) => void, text: (piece: string) => void, answer: (answer: AskReply) => void}} on
 * @param {AbortSignal} signal
 */
export async function ask(request, on, signal) {
  const response = await call("/v1/ask", { body: request, accept: "text/event-stream", signal });
  for await (const { event, data } of events(response)) {
    const told = JSON.parse(data);
    if (event === "evidence") on.evidence(told);
    else if (event === "text") on.text(told.text);
    else if (event === "answer") on.answer(told);
    else if (event === "error") throw new Problem(told.title, told.detail, told.status);
  }
}

/**
 * The events of a stream, in order.
 * @param {Response} response
 */
async function* events(response) {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    rest += (value ?? "").replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = done ? "" : (blocks.pop() ?? "");
    for (const block of blocks) {
      const lines = block.split("\n");
      const event = lines.find((line) => line.startsWith("event:"))?.slice(6).trim();
      const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
      if (event && data.length) yield { event, data: data.join("\n") };
    }
    if (done) return;
  }
}

/**
 * Starts an import of files.
 * @param {File[]} files
 * @param {Record<string, string>} options
 * @returns {Promise<Job>}
 */
export async function upload(files, options) {
  const form = new FormData();
  for (const file of files) form.append("files", file, file.name);
  for (const [name, value] of Object.entries(options)) if (value) form.append(name, value);
  return (await call("/v1/imports", { body: form })).json();
}
