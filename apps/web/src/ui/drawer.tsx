import { Drawer as Base } from '@base-ui/react/drawer';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { cx } from './cx.ts';
import { iconButtonClass } from './icon-button-class.ts';

interface DrawerProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  side?: 'right' | 'bottom';
  children: ReactNode;
}

/** A panel at the edge of the screen. A swipe towards that edge, Escape and the button close it. */
export function Drawer({ isOpen, onOpenChange, title, side = 'right', children }: DrawerProps) {
  const { t } = useTranslation('ui');
  const isRight = side === 'right';
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)} swipeDirection={isRight ? 'right' : 'down'}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity move data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className={cx('fixed inset-0 z-50 flex', isRight ? 'justify-end' : 'items-end justify-center')}>
          <Base.Popup
            className={cx(
              'flex flex-col overflow-y-auto bg-surface shadow-float outline-none transition-transform move data-swiping:duration-0',
              isRight
                ? 'h-full w-80 max-w-[calc(100vw-3rem)] translate-x-(--drawer-swipe-movement-x) rounded-l-card data-ending-style:translate-x-full data-starting-style:translate-x-full'
                : 'max-h-[85dvh] w-full max-w-xl translate-y-(--drawer-swipe-movement-y) rounded-t-card data-ending-style:translate-y-full data-starting-style:translate-y-full',
            )}
          >
            <Base.Content className="flex grow flex-col p-5 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
              <div className="mb-3 flex items-center justify-between gap-3">
                <Base.Title className="text-title font-bold">{title}</Base.Title>
                <Base.Close aria-label={t('close')} className={`${iconButtonClass} -mr-2`}>
                  <X aria-hidden className="size-5" />
                </Base.Close>
              </div>
              {children}
            </Base.Content>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
