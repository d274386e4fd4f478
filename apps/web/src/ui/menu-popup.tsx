import { Menu } from '@base-ui/react/menu';
import { type ReactNode, useState } from 'react';
import { MenuItems, type MenuItem } from './menu-items.tsx';
import { popupClass } from './popup-class.ts';

/** A button, or the position of a press. */
export type MenuAnchor = Element | { x: number; y: number };

interface MenuPopupProps {
  anchor: MenuAnchor;
  items: readonly MenuItem[];
  label?: string | undefined;
  /** Shown above the items. */
  top?: ReactNode;
  /** Opened by a key: the focus goes to the first item. */
  isByKey?: boolean;
  /** Returns where the focus goes: to an element, or nowhere if a handler has moved it already. */
  onFocusBack: () => HTMLElement | false;
  onClosed: () => void;
}

/** An open menu. Triggers render without it, so that a page with a thousand menus loads this code once, on demand. */
export function MenuPopup({ anchor, items, label, top, isByKey = false, onFocusBack, onClosed }: MenuPopupProps) {
  const [isOpen, setIsOpen] = useState(true);
  const isButton = anchor instanceof Element;

  // Base UI has no trigger for it and does not move the focus, so this does. As state, so that it runs only once.
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
            // With large text a menu may be taller than a phone's screen, so it scrolls.
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
