import { Menu, Settings } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../core/lib/paths.ts';
import { useSession } from '../core/session/session.ts';
import { useLocalPath } from '../core/i18n/use-locale.ts';
import { productName } from '../product.ts';
import { buttonClass } from '../ui/button-class.ts';
import { iconButtonClass } from '../ui/icon-button-class.ts';
import { Logo } from '../ui/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { LanguageSwitcher } from './language-switcher.tsx';
import { NavItem } from './nav-item.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

// Panels are loaded when they are opened: their library is large, and most visits open none.
const NavDrawer = lazy(async () => ({ default: (await import('./nav-drawer.tsx')).NavDrawer }));

const linkClass =
  'inline-flex min-h-11 items-center rounded-control px-3 font-medium text-muted transition-colors hover:text-text ' +
  'aria-[current=page]:text-accent';

export function SiteHeader() {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const session = useSession();
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [wasMenuOpened, setWasMenuOpened] = useState(false);
  const isMember = session.status === 'signed-in';

  function handleMenu(isOpen: boolean): void {
    setIsMenuOpen(isOpen);
    if (isOpen) setWasMenuOpened(true);
  }

  return (
    <header className="mx-auto flex w-full max-w-[86rem] items-center gap-2 px-4 py-3 sm:px-6 lg:px-10 lg:py-4">
      <Link
        to={local(paths.home)}
        className="-ml-1 flex min-h-11 items-center gap-2.5 rounded-control px-1 text-title font-bold tracking-tight"
      >
        <Logo className="size-9" />
        {/* With large text, or beside the member's picture, the narrowest screens have no room for both. */}
        <span className={isMember ? 'max-[23rem]:sr-only' : 'max-[15rem]:sr-only'}>{productName}</span>
      </Link>

      <nav aria-label={t('nav.label')} className="ml-6 hidden items-center lg:flex">
        {isMember && (
          <>
            <NavItem to={paths.contacts} className={linkClass}>
              {t('nav.contacts')}
            </NavItem>
            <NavItem to={paths.profile} className={linkClass}>
              {t('nav.profile')}
            </NavItem>
          </>
        )}
        <NavItem to={paths.about} className={linkClass}>
          {t('nav.about')}
        </NavItem>
        <NavItem to={paths.tutorials} className={linkClass}>
          {t('nav.tutorials')}
        </NavItem>
        <NavItem to={paths.components} className={linkClass}>
          {t('nav.components')}
        </NavItem>
      </nav>

      {/* Hidden until complete: the parts are right-aligned, so a half-parsed header would move them. */}
      <div className="invisible ml-auto flex items-center gap-0.5 has-aria-[haspopup=dialog]:visible sm:gap-1">
        <LanguageSwitcher />
        <ThemeToggle />
        <Link
          to={local(paths.settings)}
          aria-label={t('nav.settings')}
          title={t('nav.settings')}
          className={`${iconButtonClass} max-lg:hidden`}
        >
          <Settings aria-hidden className="size-5" />
        </Link>
        {isMember ? (
          <AccountMenu account={session.account} />
        ) : (
          <div className="ml-2 hidden items-center gap-3 lg:flex">
            <Link to={local(paths.signIn)} className={`${buttonClass({ kind: 'secondary' })} min-w-24`}>
              {t('account.signIn')}
            </Link>
            <Link to={local(paths.signUp)} className={`${buttonClass({ kind: 'primary' })} min-w-44`}>
              {t('account.signUp')}
            </Link>
          </div>
        )}
        <button
          type="button"
          aria-label={t('nav.openMenu')}
          title={t('nav.openMenu')}
          aria-haspopup="dialog"
          aria-expanded={isMenuOpen}
          onClick={() => handleMenu(true)}
          className={`${iconButtonClass} lg:hidden`}
        >
          <Menu aria-hidden className="size-6" />
        </button>
      </div>

      {wasMenuOpened && (
        <Suspense>
          <NavDrawer isOpen={isMenuOpen} onOpenChange={handleMenu} />
        </Suspense>
      )}
    </header>
  );
}
