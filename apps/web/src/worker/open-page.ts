/** How a page opens: from the network if it answers soon, from what is kept here if not. */

import { shellAddress } from './names.ts';

const networkTimeoutMs = 4000;

/** Answered by the server alone, or no pages at all. */
const nonPagePattern = /^\/(?:api|docs|v1|realtime)(?:\/|$)|\.\w+$/;

export function isPage(url: URL): boolean {
  return !nonPagePattern.test(url.pathname);
}

export function shellPathOf({ pathname }: URL): string {
  const prefix = /^\/(?:kz|ru)(?=\/|$)/.exec(pathname)?.[0] ?? '';
  return prefix + shellAddress;
}

/** The list of chats in the page's language. */
export function chatListPathOf(url: URL): string {
  return shellPathOf(url).replace(/\/_$/, '');
}

/** A line that is there but carries nothing is worse than none: after a while the page opens without it. */
export async function openPage(
  response: Promise<Response>,
  findShell: () => Promise<Response | undefined>,
): Promise<Response> {
  const shell = await Promise.race([response.then(undefinedIfServerError, ignoreError), pause().then(findShell)]);
  if (shell !== undefined) return shell;
  return (await findShell()) ?? response;
}

/** A server that is being exchanged answers with an error of the machine before it. */
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
 * A page whose script is not kept here reloads itself, and without a network finds no more of it the next time: the third
 * failed attempt to open a page gets the list of chats instead. The list itself leads nowhere else: sent to
 * itself, the app would not open for a user who reloads it in impatience.
 */
export function isReloadLoop(url: URL, now: number = Date.now()): boolean {
  const { pathname } = url;
  if (pathname === chatListPathOf(url)) return false;
  const times = (opened.get(pathname) ?? []).filter((time) => now - time < loopWindowMs);
  opened.set(pathname, [...times, now]);
  return times.length >= maxReloads;
}
