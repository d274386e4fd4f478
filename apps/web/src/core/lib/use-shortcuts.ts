/**
 * Keys that press what is on the screen. A control names its own key in `aria-keyshortcuts`, so that what a screen reader
 * says and what the key does can't differ. Keys count by their place: on a Kazakh or Russian keyboard K is Л.
 */
import { useEffect } from 'react';
import { isMac } from './is-mac.ts';

export function useShortcuts(): void {
  useEffect(() => {
    function handleKeyDown(event: KeyboardEvent): void {
      const name = nameKey(event, isMac);
      // Whatever lies above the page has the keys to itself.
      if (name === undefined || event.defaultPrevented || document.querySelector('[role=dialog], [role=menu]')) return;
      const control = document.querySelector<HTMLElement>(`[aria-keyshortcuts~="${name}"]`);
      if (control === null || !control.checkVisibility()) return;
      event.preventDefault();
      if (control instanceof HTMLInputElement) control.focus();
      else control.click();
    }
    window.addEventListener('keydown', handleKeyDown);
    return () => window.removeEventListener('keydown', handleKeyDown);
  }, []);
}

type Pressed = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** As `aria-keyshortcuts` writes it; undefined for keys that only type. */
export function nameKey({ code, ctrlKey, metaKey, altKey, shiftKey }: Pressed, onMac: boolean): string | undefined {
  const key = /^Key([A-Z])$/.exec(code)?.[1];
  // On a Mac Option types characters, so there it takes Control too.
  const isAlt = altKey && (ctrlKey || !onMac);
  const isControl = (ctrlKey || metaKey) && !altKey;
  if (key === undefined || (!isAlt && !isControl)) return undefined;
  return [isControl && 'Control', isAlt && 'Alt', shiftKey && 'Shift', key].filter(Boolean).join('+');
}
