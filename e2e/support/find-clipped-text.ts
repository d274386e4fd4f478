/** Finds text that is unreadable with a large font: clipped, off the screen, squeezed or overlapping. */
import type { Page } from '@playwright/test';

/** Sets the font size as the browser's own setting does; the default is 16. */
export async function setFontSize(page: Page, px: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: px } });
}

/**
 * Returns one line per finding. Text written by users (`dir`) may end in an ellipsis after its first characters; text
 * of the product may not.
 */
export async function findClippedText(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Bounds {
      left: number;
      right: number;
      top: number;
      bottom: number;
    }
    const MIN_VISIBLE_CHARACTERS = 7;
    const SLACK_PX = 2;
    const root = [...document.querySelectorAll('[role=dialog], [role=menu]')].at(-1) ?? document.body;
    const canvasContext = document.createElement('canvas').getContext('2d')!;
    const found = new Set<string>();
    const renderedLines: { text: string; element: Element; layer: Element; bounds: Bounds }[] = [];

    for (const node of listTexts()) {
      const element = node.parentElement!;
      const text = node.data.trim().replaceAll(/\s+/g, ' ');
      const { scrollableArea, visibleArea, layer } = measureClipping(element);
      for (const line of listLines(node)) {
        const reachable = intersect(line, scrollableArea);
        const isFullyVisible = line.right - reachable.right < SLACK_PX && reachable.left - line.left < SLACK_PX;
        const isTallEnough = reachable.bottom - reachable.top > (line.bottom - line.top) / 2;
        const isUserContent = element.closest('[dir]:not(html)') !== null;
        const isEnoughVisible =
          isUserContent &&
          reachable.right - reachable.left > measure(element, text.slice(0, MIN_VISIBLE_CHARACTERS)) - SLACK_PX;
        if (!isTallEnough || (!isFullyVisible && !isEnoughVisible))
          found.add(`${isUserContent ? 'squeezed' : 'cut'}: ${text}`);
        renderedLines.push({ text, element, layer, bounds: intersect(line, visibleArea) });
      }
      if (element.closest('h1, h2, button, a, label') && !element.closest('[dir]:not(html)'))
        for (const word of listBrokenWords(node)) found.add(`broken: ${word}`);
    }
    for (const field of root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      if (!field.checkVisibility() || field.value !== '') continue;
      const { paddingLeft, paddingRight } = getComputedStyle(field);
      const availableWidth = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      // A textarea wraps its placeholder, so only single words can be too wide.
      const parts = field instanceof HTMLTextAreaElement ? field.placeholder.split(' ') : [field.placeholder];
      if (parts.some((part) => measure(field, part) > availableWidth + SLACK_PX))
        found.add(`cut: ${field.placeholder}`);
    }
    for (const [index, one] of renderedLines.entries()) {
      for (const other of renderedLines.slice(index + 1)) {
        if (one.element === other.element || one.layer !== other.layer) continue;
        const { left, right, top, bottom } = intersect(one.bounds, other.bounds);
        const isOverlapping = right - left > SLACK_PX && bottom - top > (one.bounds.bottom - one.bounds.top) / 4;
        if (isOverlapping) found.add(`written over: ${one.text} | ${other.text}`);
      }
    }
    if (document.documentElement.scrollWidth > innerWidth) found.add('wider than the screen');
    return [...found];

    function listTexts(): Text[] {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) texts.push(node as Text);
      return texts.filter(
        ({ data, parentElement: element }) =>
          data.trim() !== '' &&
          element!.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
          // Invisible text, or initials in a circle, which are a picture.
          element!.closest('[role=img], body > details, script, style') === null &&
          !isScreenReaderOnly(element!),
      );
    }

    /** Visually hidden text for screen readers, which is clipped on purpose. */
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function isScreenReaderOnly(element: Element): boolean {
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).clipPath === 'inset(50%)') return true;
      }
      return false;
    }

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function listLines(node: Text): Bounds[] {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter(({ width }) => width > 1);
    }

    /**
     * Words that break across two lines. Longer words are left out: the longest Kazakh words are wider than a phone.
     */
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function listBrokenWords(node: Text): string[] {
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

    /**
     * Returns where the element can be scrolled to (`scrollableArea`), where it is visible now (`visibleArea`), and its
     * fixed or sticky ancestor (`layer`).
     */
    function measureClipping(element: Element): { scrollableArea: Bounds; visibleArea: Bounds; layer: Element } {
      let scrollableArea: Bounds = { left: -1e6, right: 1e6, top: -1e6, bottom: 1e6 };
      let visibleArea = scrollableArea;
      let [scrollsVertically, scrollsHorizontally] = [false, false];
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(at);
        const box = at.getBoundingClientRect();
        scrollsHorizontally ||= /auto|scroll/.test(overflowX) && at.scrollWidth > at.clientWidth;
        scrollsVertically ||= /auto|scroll/.test(overflowY) && at.scrollHeight > at.clientHeight;
        if (overflowX !== 'visible') {
          visibleArea = intersect(visibleArea, box);
          if (!scrollsHorizontally)
            scrollableArea = intersect(scrollableArea, { ...scrollableArea, left: box.left, right: box.right });
          if (!scrollsVertically)
            scrollableArea = intersect(scrollableArea, { ...scrollableArea, top: box.top, bottom: box.bottom });
        }
        if (position === 'fixed' || position === 'sticky') return { scrollableArea, visibleArea, layer: at };
      }
      if (!scrollsHorizontally)
        scrollableArea = intersect(scrollableArea, { ...scrollableArea, left: 0, right: innerWidth });
      return { scrollableArea, visibleArea, layer: root };
    }

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- It runs in the page.
    function intersect(one: Bounds, other: Bounds): Bounds {
      return {
        left: Math.max(one.left, other.left),
        right: Math.min(one.right, other.right),
        top: Math.max(one.top, other.top),
        bottom: Math.min(one.bottom, other.bottom),
      };
    }

    function measure(element: Element, text: string): number {
      const { font, letterSpacing } = getComputedStyle(element);
      canvasContext.font = font;
      canvasContext.letterSpacing = letterSpacing;
      return canvasContext.measureText(text).width;
    }
  });
}
