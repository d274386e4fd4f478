import { MessageCircle, Settings, User } from 'lucide-react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { paths } from '../core/lib/paths.ts';
import { useSession } from '../core/session/session.ts';
import { cx } from '../ui/cx.ts';
import { NavItem } from './nav-item.tsx';

const links = [
  { to: paths.contacts, text: 'nav.chats', icon: MessageCircle },
  { to: paths.profile, text: 'nav.profile', icon: User },
  { to: paths.settings, text: 'nav.settings', icon: Settings },
] as const;

/** The three main destinations, for signed-in people on phones. Over the page, or at its end if it does not scroll. */
export function BottomNav({ isInFlow = false }: { isInFlow?: boolean }) {
  const { t } = useTranslation('shell');
  const session = useSession();
  if (session.status !== 'signed-in') return null;
  return (
    <>
      {!isInFlow && <div aria-hidden className="h-20 shrink-0 lg:hidden" />}
      <nav
        aria-label={t('nav.label')}
        className={cx(
          'flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden',
          !isInFlow && 'fixed inset-x-0 bottom-0 z-20',
        )}
      >
        {links.map(({ to, text, icon: Icon }) => (
          <NavItem
            key={to}
            to={to}
            className="group flex min-h-16 grow basis-0 flex-col items-center justify-center gap-0.5 text-place font-medium text-muted aria-[current=page]:font-bold aria-[current=page]:text-accent"
          >
            <span className="rounded-round px-4 py-1 transition-colors group-aria-[current=page]:bg-accent-soft">
              <Icon aria-hidden className="size-5.5" />
            </span>
            {t(text)}
          </NavItem>
        ))}
      </nav>
    </>
  );
}
