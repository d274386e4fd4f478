/**
 * How long a message takes: from the key to the bubble, to the tick, and to the other screen. Two browsers, a server, two
 * databases and a bus share the machine with whatever else it does, which no yardstick of one thread measures: so it runs
 * only when asked for by name, on a machine that does nothing else (`./dev e2e speed`).
 */
import type { Page } from '@playwright/test';
import { measured } from '../support/tiers.ts';
import { expect, field, openChat, test } from '../support/pair.ts';
import { measureSlowness } from '../support/machine-slowness.ts';
import { takeMedian } from '../support/take-median.ts';

// Measured with everything that people's browsers run.
test.use({ serviceWorkers: 'allow' });

const ROUNDS = 15;
const GOALS_MS = { bubble: 50, tick: 300, other: 400 };
type Goal = keyof typeof GOALS_MS;

declare global {
  interface Window {
    /** When the words of a round were first painted, in milliseconds since 1970; and when they had their tick. */
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

/** Notes on the page itself when things are on the screen: a test that asks would measure its own asking. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.painted = {};
    window.ticked = {};
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    const now = (): number => performance.timeOrigin + performance.now();
    const note = (into: Record<string, number>, words: string): void => {
      if (words in into) return;
      into[words] = Number.POSITIVE_INFINITY;
      // After the frame that shows it.
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
