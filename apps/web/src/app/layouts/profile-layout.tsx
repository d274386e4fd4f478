import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Outlet, useNavigate } from 'react-router';
import { paths } from '../../core/paths.ts';
import { wantTexts } from '../../core/texts.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Frame } from '../frame.tsx';
import { NavItem } from '../nav-item.tsx';

await wantTexts('profile');

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
  return (
    <Frame width="column">
      <div className="-ml-2 flex items-center gap-2">
        <IconButton
          label={tShell('nav.back')}
          icon={<ArrowLeft aria-hidden className="size-5" />}
          onClick={() => void navigate(-1)}
        />
        <nav aria-label={t('tabs.label')} className="flex min-w-0 gap-1 overflow-x-auto border-b border-line">
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
      <div className="py-6">
        <Outlet />
      </div>
    </Frame>
  );
}
