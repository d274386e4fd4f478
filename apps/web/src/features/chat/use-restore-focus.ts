import { useEffect, useRef } from 'react';
import { isTouch } from '../../core/lib/is-touch.ts';

/**
 * Restores the keyboard focus when a bar above the messages closes: to the last chosen message, else to the composer.
 * The bar had replaced the focused element. Not on touch devices, where focus would open the on-screen keyboard.
 */
export function useRestoreFocus(isOpen: boolean, lastChosen: string | undefined): void {
  const chosen = useRef<string>(undefined);
  useEffect(() => {
    if (lastChosen !== undefined) chosen.current = lastChosen;
  }, [lastChosen]);
  useEffect(() => {
    if (!isOpen || isTouch) return;
    return () => {
      const { current } = chosen;
      chosen.current = undefined;
      // After the bar has been removed from the document.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const message = current && document.querySelector<HTMLElement>(`[data-message="${current}"]`);
        (message || document.querySelector<HTMLElement>('[data-composer]'))?.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}
