import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { iconButtonClass } from './icon-button-class.ts';

interface DialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  description?: string;
  /** For content other than text and fields. */
  isWide?: boolean;
  children?: ReactNode;
  /** Buttons at the bottom, with the safe one first. */
  actions?: ReactNode;
}

/** Keeps the focus inside, closes on Escape and on a click outside, and returns the focus afterwards. */
export function Dialog({ isOpen, onOpenChange, title, description, isWide, children, actions }: DialogProps) {
  const { t } = useTranslation('ui');
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity move data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 flex justify-center overflow-y-auto p-3">
          {/* Positioned by margins, so that a dialog taller than the window can still be scrolled to its top. */}
          <Base.Popup
            className={`relative mt-auto w-full ${isWide ? 'max-w-lg' : 'max-w-md'} rounded-card bg-surface p-6 shadow-float outline-none transition-[opacity,translate] sm:mb-auto move data-ending-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:translate-y-3 data-starting-style:opacity-0`}
          >
            <Base.Title className="pr-10 text-title font-bold">{title}</Base.Title>
            {description !== undefined && (
              <Base.Description className="mt-2 text-muted">{description}</Base.Description>
            )}
            {children}
            {actions !== undefined && <div className="mt-6 flex flex-wrap justify-end gap-3">{actions}</div>}
            <Base.Close aria-label={t('close')} className={`${iconButtonClass} absolute top-3.5 right-3.5`}>
              <X aria-hidden className="size-5" />
            </Base.Close>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
