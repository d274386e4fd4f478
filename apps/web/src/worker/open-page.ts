/** Opens a page: from the network if it responds soon, otherwise from the cache. */

import { shellAddress } from './names.ts';

const networkTimeoutMs = 4000;

/** Paths that only the server answers, and files. */
const nonPagePattern = /^\/(?:api|docs|v1|realtime)(?:\/|$)|\.\w+$/;

export function isPage(url: URL): boolean {
  return !nonPagePattern.test(url.pathname);
}

export function shellPathOf({ pathname }: URL): string {
  const prefix = /^\/(?:kz|ru)(?=\/|$)/.exec(pathname)?.[0] ?? '';
  return prefix + shellAddress;
}

/** The path of the chat list in the page's language. */
export function chatListPathOf(url: URL): string {
  return shellPathOf(url).replace(/\/_$/, '');
}

/** A connection without data is worse than none: after a timeout the page opens from the cache. */
export async function openPage(
  response: Promise<Response>,
  findShell: () => Promise<Response | undefined>,
): Promise<Response> {
  const shell = await Promise.race([response.then(undefinedIfServerError, ignoreError), pause().then(findShell)]);
  if (shell !== undefined) return shell;
  return (await findShell()) ?? response;
}

/** While the server is being replaced, the proxy in front of it responds with an error. */
function undefinedIfServerError(reply: Response): Response | undefined {
  return reply.status < 500 ? reply : undefined;
}

function ignoreError(): undefined {
  return undefined;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, networkTimeoutMs));
}

const loopWindowMs = 10_000;
const maxReloads = 3;
const opened = new Map<string, number[]>();

/**
 * A page whose script is not cached reloads itself, and without a network the reload does not help. After three
 * attempts the page is redirected to the chat list. The chat list itself is never redirected: otherwise the app would
 * not open for a user who reloads it impatiently.
 */
export function isReloadLoop(url: URL, now: number = Date.now()): boolean {
  const { pathname } = url;
  if (pathname === chatListPathOf(url)) return false;
  const times = (opened.get(pathname) ?? []).filter((time) => now - time < loopWindowMs);
  opened.set(pathname, [...times, now]);
  return times.length >= maxReloads;
}
