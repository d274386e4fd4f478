interface Seen {
  scrollOffset: number | null;
  scrollDirection: 'forward' | 'backward' | null;
  scrollRect: { height: number } | null;
  itemSizeCache: ReadonlyMap<unknown, number>;
}

/**
 * Whether a row whose measured height differs from the estimate is above the text being read, so that the list must
 * correct the scroll position. While scrolling up, an unmeasured row in the viewport has just entered at the top, so it
 * counts too.
 */
export function isAboveViewport(
  { key, start, end }: { key: unknown; start: number; end: number },
  _delta: number,
  { scrollOffset, scrollDirection, scrollRect, itemSizeCache }: Seen,
): boolean {
  const top = scrollOffset ?? 0;
  if (itemSizeCache.has(key)) return end <= top;
  return start < (scrollDirection === 'backward' ? top + (scrollRect?.height ?? 0) : top);
}
