/** The look of all popups: menus, lists and large tooltips. */
export const popupClass =
  'rounded-field border border-line bg-surface p-1.5 shadow-float outline-none ' +
  'transition-[opacity,transform] data-starting-style:scale-97 data-starting-style:opacity-0 ' +
  'data-ending-style:scale-97 data-ending-style:opacity-0';

export const popupItemClass =
  'flex min-h-11 cursor-default items-center gap-3 rounded-control px-3 py-2 text-body outline-none select-none ' +
  '[&>svg]:shrink-0 ' +
  'data-highlighted:bg-accent-soft data-highlighted:text-accent-strong data-disabled:opacity-50';
