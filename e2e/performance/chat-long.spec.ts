/**
 * Tests that take minutes and run only by name (`./dev e2e long`) on an idle machine: opening, scrolling and keeping a
 * chat of a hundred thousand messages costs as much as one of a thousand, and a large upload survives a reload.
 */
import type { Page } from '@playwright/test';
import { measured, nightly } from '../support/tiers.ts';
import { expect, openChat, type Person, test } from '../support/pair.ts';
import { expectResumed } from '../support/resumed-upload.ts';
import { readChats, readOwnAccount, seed, type SeededMessage } from '../support/seed-chat.ts';
import { takeMedian } from '../support/take-median.ts';

// With service workers, as in users' browsers.
test.use({ serviceWorkers: 'allow' });

const LONG = 100_000;
const SHORT = 1_000;
const ROUNDS = 5;
const SCROLLED = 5_000;
const GOALS = { openMs: 300, ratio: 1.3, frameMs: 100, driftPx: 2, heapBytes: 80 * 1024 * 1024 };
/** A screen of messages plus the overscan. More would mean that the list keeps everything rendered. */
const MAX_RENDERED = 150;
const PORTION = 2_000;
const words = 'Жексенбіде келесіңдер ме бауырсақ пісіремін айналайын жол болсын балалар сізді сағынды'.split(' ');

test.setTimeout(900_000);

test(
  'a chat of a hundred thousand messages opens and scrolls like one of a thousand',
  measured('It measures frames over 100,000 messages for minutes.'),
  async ({ alice, bob }) => {
    const [long, short] = [
      { ...alice, times: [] as number[] },
      { ...bob, times: [] as number[] },
    ];
    await openChat(alice.page, bob.username);
    await openChat(bob.page, alice.username);
    await lengthen(alice.page, LONG);
    await lengthen(bob.page, SHORT);
    await rest(alice.page, bob.username);
    await rest(bob.page, alice.username);
    for (let round = 0; round < ROUNDS; round += 1) {
      long.times.push(await measureOpening(long, bob.username));
      short.times.push(await measureOpening(short, alice.username));
    }
    const opened = { long: takeMedian(long.times), short: takeMedian(short.times) };
    print(`opening ${LONG} messages: median ${round1(opened.long)} ms of ${long.times.map(round1).join(', ')}`);
    print(`opening ${SHORT} messages: median ${round1(opened.short)} ms of ${short.times.map(round1).join(', ')}`);

    await openChat(alice.page, bob.username);
    const heapBefore = await readHeap(alice.page);
    const scrolled = await scrollUp(alice.page, SCROLLED);
    const heapAfter = await readHeap(alice.page);
    print(
      `scrolling ${scrolled.count} messages in ${scrolled.frames} frames: longest ${round1(scrolled.longestMs)} ms, ` +
        `largest drift ${scrolled.driftPx.toFixed(2)} px, at most ${scrolled.maxRendered} messages drawn, ` +
        `heap ${Math.round(heapBefore / 2 ** 20)} to ${Math.round(heapAfter / 2 ** 20)} MB`,
    );
    expect.soft(opened.long).toBeLessThan(GOALS.openMs);
    expect.soft(opened.long / opened.short).toBeLessThanOrEqual(GOALS.ratio);
    expect.soft(scrolled.count).toBeGreaterThanOrEqual(SCROLLED);
    expect.soft(scrolled.longestMs).toBeLessThan(GOALS.frameMs);
    expect.soft(scrolled.driftPx).toBeLessThanOrEqual(GOALS.driftPx);
    expect.soft(scrolled.maxRendered).toBeLessThan(MAX_RENDERED);
    expect.soft(heapAfter - heapBefore).toBeLessThan(GOALS.heapBytes);
  },
);

test(
  'an upload of 60 MB continues after a reload in the middle, and arrives complete',
  nightly('60 MB; the gate sends 20 MB the same way.'),
  async ({ alice, bob }) => {
    await openChat(alice.page, bob.username);
    await openChat(bob.page, alice.username);
    await expectResumed({ alice, bob, chunks: 12 });
  },
);

/** Inserts messages, one per minute, before the existing ones of the only chat. */
async function lengthen(page: Page, count: number): Promise<void> {
  const own = await readOwnAccount(page);
  const [chat] = await readChats(page, own);
  const newest = Date.now() - 3_600_000;
  for (let from = 0; from < count; from += PORTION) {
    const messages = Array.from({ length: Math.min(PORTION, count - from) }, (_, index): SeededMessage => {
      const number = from + index;
      const length = 1 + ((number * 7919) % (number % 10 === 0 ? 90 : 12));
      const text = Array.from({ length }, (__, word) => words[(number + word) % words.length]).join(' ');
      return {
        id: `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`,
        chat: chat!.chat,
        sender: [own, chat!.peer][Math.floor(number / 3) % 2]!,
        text: `#${number} ${text}`,
        pos: number - count,
        at: newest - (count - number) * 60_000,
      };
    });
    await seed(page, own, { messages });
  }
}

/** Leaves the chat for the list, which has the chat's link. */
async function rest(page: Page, username: string): Promise<void> {
  await page.goto('/contacts');
  await expect(page.locator(`a[href$="/contacts/${username}"]`)).toBeVisible();
}

/** Milliseconds from the click on the chat in the list to the frame that shows its newest messages. */
async function measureOpening({ page }: Person, username: string): Promise<number> {
  await page.bringToFront();
  const time = await page.evaluate(async (name) => {
    const link = document.querySelector<HTMLAnchorElement>(`a[href$="/contacts/${name}"]`)!;
    const begun = performance.now();
    link.click();
    while (document.querySelectorAll('[role=feed] article').length < 5) await frame();
    await frame();
    return performance.now() - begun;

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function frame(): Promise<void> {
      return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }
  }, username);
  await page.goBack();
  await expect(page.getByRole('feed')).toHaveCount(0);
  return time;
}

/**
 * Scrolls up frame by frame until `wanted` messages have been seen. Drift is the distance between a visible message and
 * the position to which the scroll step alone would have moved it.
 */
async function scrollUp(page: Page, wanted: number) {
  await page.bringToFront();
  await expect(page.getByRole('article').first()).toBeVisible();
  return page.evaluate(async (count) => {
    const feed = document.querySelector<HTMLElement>('[role=feed]')!;
    const { top: edge } = feed.getBoundingClientRect();
    const seen = new Set<string>();
    const result = { count: 0, frames: 0, longestMs: 0, driftPx: 0, maxRendered: 0 };
    let before = await frame();
    let idle = 0;
    while (seen.size < count && idle < 300) {
      const size = seen.size;
      const viewport = articles().find((one) => topOf(one) >= edge)!;
      const wantedTop = topOf(viewport) + feed.scrollTop;
      feed.scrollBy(0, -350);
      const expected = wantedTop - feed.scrollTop;
      // A wheel scrolls at the start of a frame, and the scroll event is dispatched before anything else runs.
      feed.dispatchEvent(new Event('scroll'));
      const now = await frame();
      result.longestMs = Math.max(result.longestMs, now - before);
      before = now;
      result.frames += 1;
      const later = articles().find((one) => one.dataset['message'] === viewport.dataset['message']);
      // A message that was visible and is gone has moved by more than a screen.
      const drift = later === undefined ? feed.clientHeight : Math.abs(topOf(later) - expected);
      result.driftPx = Math.max(result.driftPx, drift);
      for (const one of articles()) seen.add(one.dataset['message'] ?? '');
      result.maxRendered = Math.max(result.maxRendered, articles().length);
      idle = seen.size === size ? idle + 1 : 0;
    }
    result.count = seen.size;
    return result;

    function articles(): HTMLElement[] {
      return [...feed.querySelectorAll<HTMLElement>('article')];
    }

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function topOf(one: HTMLElement): number {
      return one.getBoundingClientRect().top;
    }

    /** Resolves after a frame was drawn, with the time at which it began. */
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function frame(): Promise<number> {
      return new Promise((resolve) => requestAnimationFrame((time) => setTimeout(() => resolve(time))));
    }
  }, wanted);
}

async function readHeap(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return usedSize;
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
