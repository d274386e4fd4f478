import { MessageCircle, Settings, User } from 'lucide-react';
import { type KeyboardEvent as PressEvent, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../core/lib/paths.ts';
import { useSession } from '../core/session/session.ts';
import { requestTexts } from '../core/i18n/texts.ts';
import { useLocalPath } from '../core/i18n/use-locale.ts';
import { useShortcuts } from '../core/lib/use-shortcuts.ts';
import { productName } from '../product.ts';
import { cx } from '../ui/cx.ts';
import { Logo } from '../ui/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { BottomNav } from './bottom-nav.tsx';
import { NavItem } from './nav-item.tsx';
import { contentId, SkipLink } from './skip-link.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

interface MessengerShellProps {
  list: ReactNode;
  /** A phone shows either the list or the chat. */
  isChatOpen: boolean;
  children: ReactNode;
}

const ShortcutsSheet = lazy(async () => {
  await requestTexts('preferences');
  return { default: (await import('../forms/shortcuts-sheet.tsx')).ShortcutsSheet };
});

/** The question mark opens it, unless the user types one into a field. */
function useShortcutsKey(): [boolean | undefined, (isOpen: boolean) => void] {
  const [isOpen, setIsOpen] = useState<boolean>();

  useEffect(() => {
    function handleKey(event: KeyboardEvent): void {
      const isWriting = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
      if (event.key === '?' && !isWriting) setIsOpen(true);
    }
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);

  return [isOpen, setIsOpen];
}

/** The chat list and the chat, in the whole window; only its parts scroll, not the page. */
export function MessengerShell({ list, isChatOpen, children }: MessengerShellProps) {
  useShortcuts();
  const [isHelpOpen, setIsHelpOpen] = useShortcutsKey();
  return (
    <div onKeyDown={handlePaneKey} className="flex h-dvh overflow-hidden bg-surface">
      <SkipLink />
      <Rail />
      <div
        data-pane
        tabIndex={-1}
        className={cx(
          'flex min-w-0 flex-col border-line outline-none max-md:w-full md:w-80 md:shrink-0 md:border-r xl:w-92',
          isChatOpen && 'max-md:hidden',
        )}
      >
        {list}
        {!isChatOpen && <BottomNav isInFlow />}
      </div>
      <main
        id={contentId}
        data-pane
        tabIndex={-1}
        className={cx('wallpaper flex min-w-0 grow flex-col bg-paper outline-none', !isChatOpen && 'max-md:hidden')}
      >
        {children}
      </main>
      {isHelpOpen !== undefined && (
        <Suspense>
          <ShortcutsSheet isOpen={isHelpOpen} onOpenChange={setIsHelpOpen} />
        </Suspense>
      )}
    </div>
  );
}

const railLink =
  'flex size-12 items-center justify-center rounded-control text-muted transition-colors hover:bg-surface-2 ' +
  'hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent';

function Rail() {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const session = useSession();
  return (
    <nav
      aria-label={t('nav.label')}
      className="hidden w-18 shrink-0 flex-col items-center gap-2 border-r border-line py-4 lg:flex"
    >
      <Link to={local(paths.home)} aria-label={productName} title={productName} className="mb-3">
        <Logo className="size-9" />
      </Link>
      <NavItem to={paths.contacts} label={t('nav.chats')} className={railLink}>
        <MessageCircle aria-hidden className="size-6" />
      </NavItem>
      <NavItem to={paths.profile} label={t('nav.profile')} className={railLink}>
        <User aria-hidden className="size-6" />
      </NavItem>
      <span className="grow" />
      <ThemeToggle />
      <NavItem to={paths.settings} label={t('nav.settings')} className={railLink}>
        <Settings aria-hidden className="size-6" />
      </NavItem>
      {session.status === 'signed-in' && <AccountMenu account={session.account} isUpright />}
    </nav>
  );
}

/** F6 moves the focus between the list and the chat, as in other programs with panes. */
function handlePaneKey(event: PressEvent<HTMLDivElement>): void {
  if (event.key !== 'F6') return;
  const panes = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) =>
    pane.checkVisibility(),
  );
  const here = panes.findIndex((pane) => pane.contains(document.activeElement));
  event.preventDefault();
  panes[(here + (event.shiftKey ? panes.length - 1 : 1)) % panes.length]?.focus();
}
