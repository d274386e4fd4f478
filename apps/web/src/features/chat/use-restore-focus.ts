import { useEffect, useRef } from 'react';
import { isTouch } from '../../core/lib/is-touch.ts';

/**
 * A bar above the messages takes the place of what opened it, and with it goes the focus: once it is closed, keys would act
 * on nothing. They go to the message that was chosen last, or to the field; on a phone that would bring the keyboard.
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
      // After whatever closed it has been taken away.
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const message = current && document.querySelector<HTMLElement>(`[data-message="${current}"]`);
        (message || document.querySelector<HTMLElement>('[data-composer]'))?.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}
