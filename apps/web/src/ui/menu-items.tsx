import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { popupItemClass } from './popup-class.ts';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  isDangerous?: boolean;
  isDisabled?: boolean;
  onSelect: () => void;
}

export function MenuItems({ items }: { items: readonly MenuItem[] }) {
  return items.map((item) => (
    <Menu.Item
      key={item.label}
      disabled={item.isDisabled ?? false}
      onClick={item.onSelect}
      className={cx(
        popupItemClass,
        item.isDangerous && 'text-danger data-highlighted:bg-danger-soft data-highlighted:text-danger',
      )}
    >
      {item.icon}
      {item.label}
    </Menu.Item>
  ));
}
