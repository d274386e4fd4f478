import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * A chat opens at the line above what is new, or at its end, and stays there until the user scrolls: in a new browser its
 * rows arrive over a second or two, older and newer ones in any order. Answers how to leave that place by other means.
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
      // Up, with nothing grown: not our doing, but the scroll bar, the search of the browser or a screen reader.
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
