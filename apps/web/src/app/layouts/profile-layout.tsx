import { ArrowLeft } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Frame } from '../frame.tsx';
import { NavItem } from '../nav-item.tsx';

await requestTexts('profile');

const ProfileHeader = lazy(async () => ({
  default: (await import('../../features/profile/profile-header.tsx')).ProfileHeader,
}));

const tabs = [
  { to: paths.profile, text: 'tabs.personal' },
  { to: paths.profileContact, text: 'tabs.contact' },
  { to: paths.profileEducation, text: 'tabs.education' },
  { to: paths.profileSkills, text: 'tabs.skills' },
  { to: paths.profileAccount, text: 'tabs.account' },
  { to: paths.profileWork, text: 'tabs.work' },
] as const;

export default function ProfileLayout() {
  const { t } = useTranslation('profile');
  const { t: tShell } = useTranslation('shell');
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);

  useEffect(() => {
    // On phones the tabs are wider than the screen: scroll the open one into view.
    const open = nav.current?.querySelector<HTMLElement>(`a[href="${pathname}"]`);
    if (nav.current && open) nav.current.scrollTo({ left: open.offsetLeft - nav.current.offsetLeft - 16 });
  }, [pathname]);

  return (
    <Frame width="column">
      <div className="-ml-2 flex items-center gap-2">
        <IconButton
          label={tShell('nav.back')}
          icon={<ArrowLeft aria-hidden className="size-5" />}
          onClick={() => void navigate(-1)}
        />
        <nav
          ref={nav}
          aria-label={t('tabs.label')}
          className="flex min-w-0 grow gap-1 overflow-x-auto border-b border-line"
        >
          {tabs.map(({ to, text }) => (
            <NavItem
              key={to}
              isExact
              to={to}
              className="tap -mb-px inline-flex shrink-0 items-center border-b-2 border-transparent px-3 font-semibold text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 aria-[current=page]:border-accent aria-[current=page]:text-accent"
            >
              {t(text)}
            </NavItem>
          ))}
        </nav>
      </div>
      <div className="flex flex-col gap-5 py-5 pb-16">
        <Suspense>
          <ProfileHeader />
        </Suspense>
        <Outlet />
      </div>
    </Frame>
  );
}
