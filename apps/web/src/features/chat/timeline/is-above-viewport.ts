interface Seen {
  scrollOffset: number | null;
  scrollDirection: 'forward' | 'backward' | null;
  scrollRect: { height: number } | null;
  itemSizeCache: ReadonlyMap<unknown, number>;
}

/**
 * Whether a row that turns out taller or lower than thought stands above what is being read, which then must not move. Going
 * up, what is being read came from below: a row in sight that has not been measured has only just entered from above.
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
