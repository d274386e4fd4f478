import { type ReactNode, Suspense, useRef, useState } from 'react';
import { iconButtonClass } from './icon-button-class.ts';
import { lazyComponent } from './lazy-component.ts';
import type { MenuItem } from './menu-items.tsx';

const MenuPopup = lazyComponent(async () => (await import('./menu-popup.tsx')).MenuPopup);

interface MenuProps {
  label: string;
  icon: ReactNode;
  /** Called while the menu is open. */
  listItems: () => readonly MenuItem[];
}

/** A button that opens a menu of actions. */
export function Menu({ label, icon, listItems }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<{ by: HTMLElement; isByKey: boolean }>();
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened !== undefined}
        title={label}
        data-popup-open={opened !== undefined || undefined}
        // A button pressed by a key gets a click event with `detail` 0.
        onClick={(event) => setOpened({ by: event.currentTarget, isByKey: event.detail === 0 })}
        className={`${iconButtonClass} data-popup-open:bg-surface-2`}
      >
        {icon}
      </button>
      {opened && (
        <Suspense>
          <MenuPopup
            anchor={opened.by}
            items={listItems()}
            label={label}
            isByKey={opened.isByKey}
            onFocusBack={() => button.current ?? false}
            onClosed={() => setOpened(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
