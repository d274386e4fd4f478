/**
 * How long a message takes from the key press to the bubble, to the tick, and to the other screen. Two browsers, a
 * server, two databases and a bus share the machine, so a benchmark of one thread cannot correct for other load. Runs
 * only by name (`./dev e2e speed`) on an idle machine.
 */
import type { Page } from '@playwright/test';
import { measured } from '../support/tiers.ts';
import { expect, field, openChat, test } from '../support/pair.ts';
import { measureSlowness } from '../support/machine-slowness.ts';
import { takeMedian } from '../support/take-median.ts';

// With service workers, as in users' browsers.
test.use({ serviceWorkers: 'allow' });

const ROUNDS = 15;
const GOALS_MS = { bubble: 50, tick: 300, other: 400 };
type Goal = keyof typeof GOALS_MS;

declare global {
  interface Window {
    /** When the words of a round were first painted, and when they got their tick, in milliseconds since 1970. */
    painted: Record<string, number>;
    ticked: Record<string, number>;
    pressed: number;
  }
}

test(
  'a message is shown, acknowledged and delivered without a noticeable delay',
  measured('It measures milliseconds.'),
  async ({ alice, bob }) => {
    await openChat(alice.page, bob.username);
    await openChat(bob.page, alice.username);
    await watch(alice.page);
    await watch(bob.page);
    const times: Record<Goal, number[]> = { bubble: [], tick: [], other: [] };
    const slowness: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      slowness.push(await measureSlowness(alice.page));
      const words = `round ${round}.`;
      await field(alice.page).fill(words);
      await field(alice.page).press('Enter');
      await bob.page.waitForFunction((text) => Number.isFinite(window.painted[text]), words);
      await alice.page.waitForFunction((text) => Number.isFinite(window.ticked[text]), words);
      const here = await alice.page.evaluate(
        (text) => ({ pressed: window.pressed, painted: window.painted[text]!, ticked: window.ticked[text]! }),
        words,
      );
      const there = await bob.page.evaluate((text) => window.painted[text]!, words);
      times.bubble.push(here.painted - here.pressed);
      times.tick.push(here.ticked - here.pressed);
      times.other.push(there - here.pressed);
    }
    const slow = takeMedian(slowness);
    for (const [goal, all] of Object.entries(times)) {
      const figures = `median ${Math.round(takeMedian(all))} ms of ${all.map(Math.round).join(', ')}`;
      process.stdout.write(`key to ${goal}: ${figures}; machine ${slow.toFixed(1)} times slower than quiet\n`);
    }
    for (const goal of Object.keys(GOALS_MS) as Goal[]) {
      expect.soft(takeMedian(times[goal]), goal).toBeLessThan(GOALS_MS[goal] * slow);
    }
  },
);

/** Records times in the page itself: polling from the test would measure the polling. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.painted = {};
    window.ticked = {};
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    const now = (): number => performance.timeOrigin + performance.now();
    const note = (into: Record<string, number>, words: string): void => {
      if (words in into) return;
      into[words] = Number.POSITIVE_INFINITY;
      // After the frame that shows the words.
      requestAnimationFrame(() => setTimeout(() => (into[words] = now())));
    };
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Enter') window.pressed = performance.timeOrigin + event.timeStamp;
      },
      { capture: true },
    );
    new MutationObserver(() => {
      for (const article of document.querySelectorAll('article')) {
        const words = /round \d+\./.exec(article.textContent)?.[0];
        if (words === undefined) continue;
        note(window.painted, words);
        if (article.querySelector('[data-status]:not([data-status=sending])')) note(window.ticked, words);
      }
    }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-status'] });
  });
}
