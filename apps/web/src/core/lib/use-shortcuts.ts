/**
 * Keyboard shortcuts that press controls. A control names its own key in `aria-keyshortcuts`, so a screen reader always
 * names the right key. Keys count by their position: on a Kazakh or Russian keyboard K is Л.
 */
import { useEffect } from 'react';
import { isMac } from './is-mac.ts';

export function useShortcuts(): void {
  useEffect(() => {
    function handleKeyDown(event: KeyboardEvent): void {
      const name = nameKey(event, isMac);
      // An open dialog or menu handles all keys itself.
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

/** In the format of `aria-keyshortcuts`; undefined for keys that only type a character. */
export function nameKey({ code, ctrlKey, metaKey, altKey, shiftKey }: Pressed, onMac: boolean): string | undefined {
  const key = /^Key([A-Z])$/.exec(code)?.[1];
  // On a Mac Option types characters, so a shortcut with Option needs Control too.
  const isAlt = altKey && (ctrlKey || !onMac);
  const isControl = (ctrlKey || metaKey) && !altKey;
  if (key === undefined || (!isAlt && !isControl)) return undefined;
  return [isControl && 'Control', isAlt && 'Alt', shiftKey && 'Shift', key].filter(Boolean).join('+');
}
