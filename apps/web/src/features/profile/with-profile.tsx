import type { Profile } from '@dostar/protocol/contract/profile';
import type { ReactNode } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { sheetClass } from './group-form.tsx';
import { loadOwnProfile, useOwnProfile } from './own-profile.ts';

/** Renders its children once the profile is loaded; a skeleton or an error until then. */
export function WithProfile({ children }: { children: (profile: Profile) => ReactNode }) {
  const { t } = useTranslation('profile');
  const { status, profile } = useOwnProfile();

  if (profile) return children(profile);
  if (status === 'failed') {
    return (
      <div role="alert" className={sheetClass}>
        <p>{t('header.failed')}</p>
        <p>
          <CustomButton kind="secondary" onClick={() => void loadOwnProfile()}>
            {t('header.again')}
          </CustomButton>
        </p>
      </div>
    );
  }
  return (
    <div aria-busy className={sheetClass}>
      <span className="sr-only">{t('header.loading')}</span>
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-13" />
      <Skeleton className="h-13" />
      <Skeleton className="h-13" />
    </div>
  );
}
