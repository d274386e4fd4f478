import { type RefObject, useEffect, useState } from 'react';

/** Whether it has ever been near the viewport: what is never scrolled to is not fetched. */
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
