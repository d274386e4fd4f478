import type { KeyboardEvent } from 'react';

const steps: Partial<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -8, PageDown: 8 };

interface Ends {
  toStart: () => void;
  toEnd: () => void;
}

/**
 * Arrow keys walk from message to message, as in a feed. Rows beyond the eye are not in the document: at the edge the
 * list scrolls by itself, since focusing brings the next row into view.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>, { toStart, toEnd }: Ends): void {
  if (event.target instanceof HTMLElement && event.target.closest('input, textarea, [role=menu]')) return;
  const list = event.currentTarget;
  const messages = [...list.querySelectorAll<HTMLElement>('[role=article]')].toSorted(byPlace);
  const here = messages.findIndex((message) => message.contains(document.activeElement));
  const step = steps[event.key];
  if (event.key === 'End' || event.key === 'Home') {
    event.preventDefault();
    // The message that has the focus is about to leave the document: the list takes it over.
    list.focus();
    if (event.key === 'End') toEnd();
    else toStart();
  } else if (step !== undefined && messages.length > 0) {
    event.preventDefault();
    const next = here < 0 ? messages.length - 1 : Math.min(Math.max(here + step, 0), messages.length - 1);
    messages[next]?.focus();
  }
}

/** The document's order is the order of arrival in it, not of the timeline. */
function byPlace(a: HTMLElement, b: HTMLElement): number {
  return a.getBoundingClientRect().top - b.getBoundingClientRect().top;
}
