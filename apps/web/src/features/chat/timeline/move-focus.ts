import type { KeyboardEvent } from 'react';

const steps: Partial<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -8, PageDown: 8 };

interface Ends {
  toStart: () => void;
  toEnd: () => void;
}

/**
 * Arrow keys move the focus between messages, as in an ARIA feed. The document contains only rows near the viewport;
 * focusing a row at the edge scrolls to it, which renders the next ones.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>, { toStart, toEnd }: Ends): void {
  if (event.target instanceof HTMLElement && event.target.closest('input, textarea, [role=menu]')) return;
  const list = event.currentTarget;
  const messages = [...list.querySelectorAll<HTMLElement>('[role=article]')].toSorted(byPlace);
  const here = messages.findIndex((message) => message.contains(document.activeElement));
  const step = steps[event.key];
  if (event.key === 'End' || event.key === 'Home') {
    event.preventDefault();
    // Scrolling will remove the focused message from the document, so the list takes the focus.
    list.focus();
    if (event.key === 'End') toEnd();
    else toStart();
  } else if (step !== undefined && messages.length > 0) {
    event.preventDefault();
    const next = here < 0 ? messages.length - 1 : Math.min(Math.max(here + step, 0), messages.length - 1);
    messages[next]?.focus();
  }
}

/** Rows are in the document in the order of their rendering, so sort them by position. */
function byPlace(a: HTMLElement, b: HTMLElement): number {
  return a.getBoundingClientRect().top - b.getBoundingClientRect().top;
}
