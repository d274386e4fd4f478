/** How a page opens: from the network if it answers soon, from what is kept here if not. */

import { shellAddress } from './names.ts';

const patience = 4000;

/** Answered by the server alone, or no pages at all. */
const notPages = /^\/(?:api|v1|realtime)(?:\/|$)|\.\w+$/;

export function isPage(url: URL): boolean {
  return !notPages.test(url.pathname);
}

export function shellOf({ pathname }: URL): string {
  const prefix = /^\/(?:kz|ru)(?=\/|$)/.exec(pathname)?.[0] ?? '';
  return prefix + shellAddress;
}

/** The list of chats in the page's language. */
export function listOf(url: URL): string {
  return shellOf(url).replace(/\/_$/, '');
}

/** A line that is there but carries nothing is worse than none: after a while the page opens without it. */
export async function openPage(
  coming: Promise<Response>,
  findShell: () => Promise<Response | undefined>,
): Promise<Response> {
  const shell = await Promise.race([coming.then(usable, nothing), pause().then(findShell)]);
  if (shell !== undefined) return shell;
  return (await findShell()) ?? coming;
}

/** A server that is being exchanged answers with an error of the machine before it. */
function usable(reply: Response): Response | undefined {
  return reply.status < 500 ? reply : undefined;
}

function nothing(): undefined {
  return undefined;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, patience));
}

const loopWithin = 10_000;
const mostInLoop = 3;
const opened = new Map<string, number[]>();

/**
 * A page whose script is not kept here reloads itself, and without a network finds no more of it the next time: whoever
 * opens a page in vain for the third time gets the list of chats instead. The list itself leads nowhere else: sent to
 * itself, the app would not open for somebody who reloads it in impatience.
 */
export function isLooping(url: URL, now: number = Date.now()): boolean {
  const { pathname } = url;
  if (pathname === listOf(url)) return false;
  const times = (opened.get(pathname) ?? []).filter((time) => now - time < loopWithin);
  opened.set(pathname, [...times, now]);
  return times.length >= mostInLoop;
}
