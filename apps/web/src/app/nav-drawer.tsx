import {
  BookOpen,
  GraduationCap,
  House,
  Info,
  LayoutGrid,
  Lock,
  LogOut,
  MessageCircle,
  Settings,
  User,
} from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { hasLock } from '../core/session/has-lock.ts';
import { paths } from '../core/lib/paths.ts';
import { useSession } from '../core/session/session.ts';
import { useStore } from '../core/lib/store.ts';
import { useLocalPath } from '../core/i18n/use-locale.ts';
import { buttonClass } from '../ui/button-class.ts';
import { CustomButton } from '../ui/custom-button.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { NavItem } from './nav-item.tsx';

const SignOutDialog = lazy(async () => ({ default: (await import('./sign-out-dialog.tsx')).SignOutDialog }));

interface NavDrawerProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

const links = [
  { to: paths.home, text: 'nav.home', icon: House },
  { to: paths.about, text: 'nav.about', icon: Info },
  { to: paths.contacts, text: 'nav.contacts', icon: MessageCircle },
  { to: paths.profile, text: 'nav.profile', icon: User },
  { to: paths.tutorials, text: 'nav.documentation', icon: BookOpen },
  { to: paths.tutorials, text: 'nav.tutorials', icon: GraduationCap },
  { to: paths.components, text: 'nav.components', icon: LayoutGrid },
  { to: paths.settings, text: 'nav.settings', icon: Settings },
] as const;

async function lock(account: string): Promise<void> {
  await (await import('../core/session/lock-watch.ts')).lockNow(account);
}

export function NavDrawer({ isOpen, onOpenChange }: NavDrawerProps) {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const session = useSession();
  const isLockSet = useStore(hasLock, false);
  const [isAsking, setIsAsking] = useState(false);

  function handleClose(): void {
    onOpenChange(false);
  }

  return (
    <>
      <Drawer isOpen={isOpen} onOpenChange={onOpenChange} title={t('nav.menu')}>
        <nav aria-label={t('nav.label')} className="-mx-2 flex flex-col gap-0.5">
          {links.map(({ to, text, icon: Icon }) => (
            <NavItem
              key={text}
              to={to}
              onClick={handleClose}
              className="flex min-h-12 items-center gap-3.5 rounded-control px-3 text-field font-medium transition-colors hover:bg-surface-2 aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong"
            >
              <Icon aria-hidden className="size-5 text-muted" />
              {t(text)}
            </NavItem>
          ))}
        </nav>
        <div className="mt-auto flex flex-col gap-3 pt-8">
          {session.status === 'signed-in' && isLockSet && (
            <CustomButton
              kind="secondary"
              size="large"
              isWide
              icon={<Lock aria-hidden className="size-5" />}
              onClick={() => void lock(session.account.id)}
            >
              {t('account.lock')}
            </CustomButton>
          )}
          {session.status === 'signed-in' ? (
            <CustomButton
              kind="secondary"
              size="large"
              isWide
              icon={<LogOut aria-hidden className="size-5" />}
              onClick={() => setIsAsking(true)}
            >
              {t('account.signOut')}
            </CustomButton>
          ) : (
            <>
              <Link
                to={local(paths.signUp)}
                onClick={handleClose}
                className={buttonClass({ size: 'large', isWide: true })}
              >
                {t('account.signUp')}
              </Link>
              <Link
                to={local(paths.signIn)}
                onClick={handleClose}
                className={buttonClass({ kind: 'secondary', size: 'large', isWide: true })}
              >
                {t('account.signIn')}
              </Link>
            </>
          )}
        </div>
      </Drawer>
      {isAsking && (
        <Suspense>
          <SignOutDialog onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
