import {
  Bell,
  CircleUser,
  Eye,
  Fingerprint,
  HardDrive,
  KeyRound,
  ListChecks,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
} from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Outlet, useLocation } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { Frame } from '../frame.tsx';
import { NavItem } from '../nav-item.tsx';

await requestTexts('settings');

const places = [
  { to: paths.settings, text: 'places.appearance', icon: Palette, isForMembers: false },
  { to: paths.settingsNotifications, text: 'places.notifications', icon: Bell, isForMembers: true },
  { to: paths.settingsVisibility, text: 'places.visibility', icon: Eye, isForMembers: true },
  { to: paths.settingsAccount, text: 'places.account', icon: CircleUser, isForMembers: true },
  { to: paths.settingsSecurity, text: 'places.security', icon: KeyRound, isForMembers: true },
  { to: paths.settingsSecondFactors, text: 'places.secondFactors', icon: ListChecks, isForMembers: true },
  { to: paths.settingsPasskeys, text: 'places.passkeys', icon: Fingerprint, isForMembers: true },
  { to: paths.settingsDevices, text: 'places.devices', icon: MonitorSmartphone, isForMembers: true },
  { to: paths.settingsStorage, text: 'places.storage', icon: HardDrive, isForMembers: true },
  { to: paths.settingsPrivacy, text: 'places.privacy', icon: ShieldCheck, isForMembers: false },
] as const;

const linkClass =
  'tap inline-flex shrink-0 items-center gap-3 rounded-control px-3 font-semibold text-muted transition-colors ' +
  'hover:bg-surface-2 hover:text-text focus-visible:-outline-offset-2 aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong';

/** On phones the links are wider than the screen: scrolls the open one into view. */
function showPlace(nav: HTMLElement, pathname: string): void {
  const open = nav.querySelector<HTMLElement>(`a[href="${pathname}"]`);
  if (open) nav.scrollTo({ left: open.offsetLeft - nav.offsetLeft - 16 });
}

/** The links of the settings, beside the open page; on phones above it. */
export default function SettingsLayout() {
  const { t } = useTranslation('settings');
  const isMember = useSession().status === 'signed-in';
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();

  useEffect(() => {
    if (nav.current) showPlace(nav.current, pathname);
  }, [pathname]);

  return (
    <Frame width="page">
      <div className="mx-auto grid max-w-5xl gap-x-10 gap-y-5 pt-2 pb-16 lg:grid-cols-[14rem_minmax(0,1fr)] lg:pt-6">
        <nav
          ref={nav}
          aria-label={t('places.label')}
          className="-mx-1 flex min-w-0 gap-1 overflow-x-auto px-1 py-1 lg:flex-col lg:overflow-visible"
        >
          {places
            .filter(({ isForMembers }) => isMember || !isForMembers)
            .map(({ to, text, icon: Icon }) => (
              <NavItem key={to} isExact to={to} className={linkClass}>
                <Icon aria-hidden className="size-5 shrink-0 max-lg:hidden" />
                {t(text)}
              </NavItem>
            ))}
        </nav>
        <div className="flex min-w-0 flex-col gap-5">
          <Outlet />
        </div>
      </div>
    </Frame>
  );
}
