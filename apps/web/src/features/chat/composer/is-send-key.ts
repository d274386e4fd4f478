import type { KeyboardEvent } from 'react';
import type { SendKey } from '../../../core/lib/settings.ts';

/** Safari ends an IME composition before the Enter key event; only `keyCode` still tells. */
const COMPOSING = 229;

/** Whether a key press sends the message. On touch devices Return inserts a new line. */
export function isSendKey(event: KeyboardEvent, sendKey: SendKey, isTouch: boolean): boolean {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.keyCode === COMPOSING) return false;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand) return true;
  return sendKey === 'enter' && !isTouch && !event.shiftKey && !event.altKey;
}
