import type { KeyboardEvent } from 'react';
import type { SendKey } from '../../../core/lib/settings.ts';

/** Safari ends a composition before it tells of the Enter that ended it; only the old key code still says so. */
const COMPOSING = 229;

/** Whether this key press sends. On a phone's own keyboard Return makes a line, and the button sends. */
export function isSendKey(event: KeyboardEvent, sendKey: SendKey, isTouch: boolean): boolean {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.keyCode === COMPOSING) return false;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand) return true;
  return sendKey === 'enter' && !isTouch && !event.shiftKey && !event.altKey;
}
