import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Opens a chat at the unread line or at its end, and holds that position until the user scrolls: in a new browser the
 * rows arrive over a second or two, in any order. Returns a function that releases the position.
 */
export function useOpeningPosition(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rows: readonly { kind: string }[],
): () => void {
  const isLeft = useRef(false);
  const leave = useCallback(() => {
    isLeft.current = true;
  }, []);

  useLayoutEffect(() => {
    if (isLeft.current || rows.length === 0) return;
    const unread = rows.findIndex(({ kind }) => kind === 'unread');
    if (unread >= 0) virtualizer.scrollToIndex(unread, { align: 'start' });
    else virtualizer.scrollToEnd();
  }, [virtualizer, rows]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const controller = new AbortController();
    let [top, height] = [0, 0];
    function handleScroll(): void {
      const { scrollTop, scrollHeight } = element!;
      // A move up without a change of height comes from the scroll bar, the browser's search or a screen reader.
      if (scrollTop < top && scrollHeight === height) leave();
      [top, height] = [scrollTop, scrollHeight];
    }
    element.addEventListener('scroll', handleScroll, { signal: controller.signal, passive: true });
    for (const eventName of ['wheel', 'touchmove', 'keydown'] as const) {
      element.addEventListener(eventName, leave, { signal: controller.signal, passive: true });
    }
    return () => controller.abort();
  }, [scroller, leave]);

  return leave;
}
