/** What somebody who reads with large letters can't read: cut off, off the screen, squeezed to nothing or written over. */
import type { Page } from '@playwright/test';

/** Letters as the browser's own setting makes them; 16 is what most people have. */
export async function setLetters(page: Page, px: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: px } });
}

/**
 * A line for each finding. People's own words (`dir`) may end in an ellipsis, but not before they have said something; the
 * words of the product may not.
 */
export async function findCut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Edges {
      left: number;
      right: number;
      top: number;
      bottom: number;
    }
    const LEAST_LETTERS = 7;
    const SLACK_PX = 2;
    const root = [...document.querySelectorAll('[role=dialog], [role=menu]')].at(-1) ?? document.body;
    const pen = document.createElement('canvas').getContext('2d')!;
    const found = new Set<string>();
    const drawn: { text: string; place: Element; layer: Element; edges: Edges }[] = [];

    for (const node of listTexts()) {
      const place = node.parentElement!;
      const text = node.data.trim().replaceAll(/\s+/g, ' ');
      const { reach, seen, layer } = lookFrom(place);
      for (const line of listLines(node)) {
        const inReach = cross(line, reach);
        const isWhole = line.right - inReach.right < SLACK_PX && inReach.left - line.left < SLACK_PX;
        const isTall = inReach.bottom - inReach.top > (line.bottom - line.top) / 2;
        const isTheirs = place.closest('[dir]:not(html)') !== null;
        const isEnough =
          isTheirs && inReach.right - inReach.left > measure(place, text.slice(0, LEAST_LETTERS)) - SLACK_PX;
        if (!isTall || (!isWhole && !isEnough)) found.add(`${isTheirs ? 'squeezed' : 'cut'}: ${text}`);
        drawn.push({ text, place, layer, edges: cross(line, seen) });
      }
      if (place.closest('h1, h2, button, a, label') && !place.closest('[dir]:not(html)'))
        for (const word of listBroken(node)) found.add(`broken: ${word}`);
    }
    for (const field of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      if (!field.checkVisibility() || field.value !== '') continue;
      const { paddingLeft, paddingRight } = getComputedStyle(field);
      const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      // What has many lines has them for this too.
      const parts = field instanceof HTMLTextAreaElement ? field.placeholder.split(' ') : [field.placeholder];
      if (parts.some((part) => measure(field, part) > room + SLACK_PX)) found.add(`cut: ${field.placeholder}`);
    }
    for (const [index, one] of drawn.entries()) {
      for (const other of drawn.slice(index + 1)) {
        if (one.place === other.place || one.layer !== other.layer) continue;
        const { left, right, top, bottom } = cross(one.edges, other.edges);
        const isOver = right - left > SLACK_PX && bottom - top > (one.edges.bottom - one.edges.top) / 4;
        if (isOver) found.add(`written over: ${one.text} | ${other.text}`);
      }
    }
    if (document.documentElement.scrollWidth > innerWidth) found.add('wider than the screen');
    return [...found];

    function listTexts(): Text[] {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node as Text);
      return texts.filter(
        ({ data, parentElement: place }) =>
          data.trim() !== '' &&
          place!.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
          // Said and not shown; or letters in a circle, which are a picture.
          place!.closest('[role=img], body > details, script, style') === null &&
          !isSaidOnly(place!),
      );
    }

    /** For screen readers: in the page, and cut down to nothing on purpose. */
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function isSaidOnly(place: Element): boolean {
      for (let at: Element | null = place; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).clipPath === 'inset(50%)') return true;
      }
      return false;
    }

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function listLines(node: Text): Edges[] {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter(({ width }) => width > 1);
    }

    /** Words that begin on one line and end on the next. The longest of Kazakh are wider than a phone. */
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function listBroken(node: Text): string[] {
      const range = document.createRange();
      const words = [...node.data.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]{2,12}(?![\p{L}\p{N}])/gu)];
      return words
        .filter(({ index, 0: word }) => {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
        })
        .map(([word]) => word);
    }

    /** `reach`: where it can be brought into sight, `seen`: where it is now, `layer`: what floats above the rest with it. */
    function lookFrom(place: Element): { reach: Edges; seen: Edges; layer: Element } {
      let reach: Edges = { left: -1e6, right: 1e6, top: -1e6, bottom: 1e6 };
      let seen = reach;
      let [isRolling, isSliding] = [false, false];
      for (let at: Element | null = place; at !== null; at = at.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(at);
        const box = at.getBoundingClientRect();
        isSliding ||= /auto|scroll/.test(overflowX) && at.scrollWidth > at.clientWidth;
        isRolling ||= /auto|scroll/.test(overflowY) && at.scrollHeight > at.clientHeight;
        if (overflowX !== 'visible') {
          seen = cross(seen, box);
          if (!isSliding) reach = cross(reach, { ...reach, left: box.left, right: box.right });
          if (!isRolling) reach = cross(reach, { ...reach, top: box.top, bottom: box.bottom });
        }
        if (position === 'fixed' || position === 'sticky') return { reach, seen, layer: at };
      }
      if (!isSliding) reach = cross(reach, { ...reach, left: 0, right: innerWidth });
      return { reach, seen, layer: root };
    }

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function cross(one: Edges, other: Edges): Edges {
      return {
        left: Math.max(one.left, other.left),
        right: Math.min(one.right, other.right),
        top: Math.max(one.top, other.top),
        bottom: Math.min(one.bottom, other.bottom),
      };
    }

    function measure(place: Element, text: string): number {
      const { font, letterSpacing } = getComputedStyle(place);
      pen.font = font;
      pen.letterSpacing = letterSpacing;
      return pen.measureText(text).width;
    }
  });
}
