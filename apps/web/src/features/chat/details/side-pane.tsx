import { ArrowLeft, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

interface SidePaneProps {
  title: string;
  onClose: () => void;
  /** Another pane opened this one; closing returns to it. */
  isDeeper?: boolean;
  children: ReactNode;
}

/** Takes the focus when it opens and returns it when it closes. Escape closes the pane. */
export function SidePane({ title, onClose, isDeeper = false, children }: SidePaneProps) {
  const { t } = useTranslation('contacts');
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    pane.current?.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  function handleKey(event: KeyboardEvent<HTMLElement>): void {
    // React also bubbles key events of dialogs rendered in a portal; ignore those.
    if (event.key === 'Escape' && event.currentTarget.contains(event.target as Node)) onClose();
  }

  return (
    <aside
      ref={pane}
      aria-label={title}
      onKeyDown={handleKey}
      className="z-20 flex animate-rise flex-col border-line bg-surface max-md:fixed max-md:inset-0 md:absolute md:inset-y-0 md:right-0 md:w-84 md:border-l md:shadow-float xl:static xl:shrink-0 xl:shadow-none"
    >
      <header className="flex min-h-15.5 shrink-0 items-center gap-2 border-b border-line px-2 pt-[env(safe-area-inset-top)]">
        <IconButton
          label={t('details.close')}
          icon={
            isDeeper ? (
              <ArrowLeft aria-hidden className="size-6" />
            ) : (
              <>
                <ArrowLeft aria-hidden className="size-6 md:hidden" />
                <X aria-hidden className="size-6 max-md:hidden" />
              </>
            )
          }
          onClick={onClose}
        />
        <h2 className="truncate text-subtitle font-semibold">{title}</h2>
      </header>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain pb-[max(1.5rem,env(safe-area-inset-bottom))]">
        {children}
      </div>
    </aside>
  );
}
