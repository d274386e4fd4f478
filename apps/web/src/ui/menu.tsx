import { Menu as Base } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { iconButtonClass } from './icon-button-class.ts';
import { MenuItems, type MenuItem } from './menu-items.tsx';
import { popupClass } from './popup-class.ts';

interface MenuProps {
  label: string;
  icon: ReactNode;
  items: readonly MenuItem[];
}

/** Actions behind one button. */
export function Menu({ label, icon, items }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger aria-label={label} title={label} className={`${iconButtonClass} data-popup-open:bg-surface-2`}>
        {icon}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" className="z-50 outline-none">
          <Base.Popup className={`${popupClass} min-w-52`}>
            <MenuItems items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
