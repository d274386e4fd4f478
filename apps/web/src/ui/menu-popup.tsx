import { Menu } from '@base-ui/react/menu';
import { type ReactNode, useState } from 'react';
import { MenuItems, type MenuItem } from './menu-items.tsx';
import { popupClass } from './popup-class.ts';

/** A button, or the place of a press. */
export type MenuAnchor = Element | { x: number; y: number };

interface MenuPopupProps {
  anchor: MenuAnchor;
  items: readonly MenuItem[];
  label?: string | undefined;
  /** Above the items. */
  top?: ReactNode;
  /** Opened by a key: the first item is where the next key acts. */
  isByKey?: boolean;
  /** Says where the focus goes: to an element, or nowhere because a handler has moved it. */
  onFocusBack: () => HTMLElement | false;
  onClosed: () => void;
}

/** An open menu. What opens it is drawn without it, so that a page with a thousand menus fetches this once, and later. */
export function MenuPopup({ anchor, items, label, top, isByKey = false, onFocusBack, onClosed }: MenuPopupProps) {
  const [isOpen, setIsOpen] = useState(true);
  const isButton = anchor instanceof Element;

  // Nothing that Base UI knows of has opened it, so nothing moves the focus there. Once: not when it is drawn again.
  const [handleMount] = useState(() => (popup: HTMLDivElement | null) => {
    const first = isByKey ? popup?.querySelector<HTMLElement>('[role=menuitem]') : popup;
    requestAnimationFrame(() => first?.focus({ preventScroll: true }));
  });

  return (
    <Menu.Root
      open={isOpen}
      onOpenChange={(open) => setIsOpen(open)}
      onOpenChangeComplete={(open) => !open && onClosed()}
    >
      <Menu.Portal>
        <Menu.Positioner
          anchor={isButton ? anchor : { getBoundingClientRect: () => DOMRect.fromRect(anchor) }}
          align={isButton ? 'end' : 'start'}
          sideOffset={isButton ? 6 : 0}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Menu.Popup
            ref={handleMount}
            aria-label={label}
            finalFocus={onFocusBack}
            // With large text a menu is taller than a phone: it scrolls.
            className={`${popupClass} max-h-(--available-height) max-w-(--available-width) min-w-52 overflow-y-auto`}
          >
            {top}
            <MenuItems items={items} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
