import { type ReactNode, Suspense, useRef, useState } from 'react';
import { cx } from './cx.ts';
import { lazyComponent } from './lazy-component.ts';
import type { MenuItem } from './menu-items.tsx';
import { type PressPlace, useMenuPress } from './use-menu-press.ts';

const MenuPopup = lazyComponent(async () => (await import('./menu-popup.tsx')).MenuPopup);

interface ContextMenuProps {
  /** Called when the menu opens. */
  listItems: () => readonly MenuItem[];
  label?: string;
  /** Shown above the items. */
  top?: ReactNode;
  /** Where the focus goes when the menu closes; by default to where it was. */
  onFocusBack?: (trigger: HTMLElement) => HTMLElement | false;
  className?: string;
  /** The content that the menu is about: a right click, a long press or the menu key on it opens the menu. */
  children: ReactNode;
}

export function ContextMenu({ listItems, label, top, onFocusBack, className, children }: ContextMenuProps) {
  const trigger = useRef<HTMLDivElement>(null);
  const before = useRef<Element>(null);
  const [place, setPlace] = useState<PressPlace>();
  const handlers = useMenuPress((pressed) => {
    before.current = document.activeElement;
    setPlace(pressed);
  });

  function handleFocusBack(): HTMLElement | false {
    if (onFocusBack && trigger.current) return onFocusBack(trigger.current);
    return before.current instanceof HTMLElement && before.current;
  }

  return (
    <>
      <div
        ref={trigger}
        data-popup-open={place !== undefined || undefined}
        className={cx('rounded-control', className ?? 'select-none')}
        {...handlers}
      >
        {children}
      </div>
      {place && (
        <Suspense>
          <MenuPopup
            anchor={place}
            items={listItems()}
            label={label}
            top={top}
            onFocusBack={handleFocusBack}
            onClosed={() => setPlace(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
