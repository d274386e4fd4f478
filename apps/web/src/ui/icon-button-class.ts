/** The look of an icon button, also for links and triggers that act like one. */
export const iconButtonClass =
  'inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted transition-colors ' +
  'hover:bg-surface-2 hover:text-text disabled:cursor-not-allowed disabled:opacity-50';
