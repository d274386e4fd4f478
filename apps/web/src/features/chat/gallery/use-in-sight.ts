import { type RefObject, useEffect, useState } from 'react';

/** Turns true once the element has been near the viewport, so that only visible media are fetched. */
export function useInSight(place: RefObject<Element | null>): boolean {
  const [isInSight, setIsInSight] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || isInSight) return;
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setIsInSight(true);
      },
      { rootMargin: '200px' },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [place, isInSight]);
  return isInSight;
}
