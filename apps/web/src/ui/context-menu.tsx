import { ContextMenu as Base } from '@base-ui/react/context-menu';
import type { ReactNode } from 'react';
import { MenuItems, type MenuItem } from './menu-items.tsx';
import { popupClass } from './popup-class.ts';

interface ContextMenuProps {
  items: readonly MenuItem[];
  /** What the menu is about; a right click, a long press or the menu key on it opens the menu. */
  children: ReactNode;
}

export function ContextMenu({ items, children }: ContextMenuProps) {
  return (
    <Base.Root>
      <Base.Trigger className="rounded-control select-none">{children}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-50 outline-none">
          <Base.Popup className={`${popupClass} min-w-52`}>
            <MenuItems items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
