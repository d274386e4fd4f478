import type { Profile } from '@dostar/protocol/contract/profile';
import { useEffect } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { formatPercent } from '../../core/i18n/format-number.ts';
import { computeStrength, placeholderStrength } from '../../core/messenger/profile-strength.ts';
import { useSession } from '../../core/session/session.ts';
import { useLocale, useLocalPath } from '../../core/i18n/use-locale.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { StrengthIndicator } from '../../ui/strength-indicator.tsx';
import { followOtherTabs, fullNameOf, loadOwnProfile, useOwnProfile } from './own-profile.ts';
import { findPicture } from './picture/own-picture.ts';
import { EditButton } from './picture/edit-button.tsx';

/** Name, picture and completeness of the profile, above its tabs. */
export function ProfileHeader() {
  const session = useSession();
  const { profile } = useOwnProfile();
  const account = session.status === 'signed-in' ? session.account : undefined;
  const owner = account?.id;

  useEffect(() => {
    if (owner !== undefined) void loadOwnProfile();
  }, [owner]);
  useEffect(followOtherTabs, []);

  const username = profile?.username ?? account?.username ?? '';
  const name = (profile && fullNameOf(profile.personal.value)) || username;
  const picture = profile && findPicture(profile, 'picture');
  const background = profile && findPicture(profile, 'background');
  return (
    <section className="overflow-hidden rounded-card border border-line bg-surface shadow-card">
      <div className="relative isolate h-28 bg-accent-soft ornament sm:h-36">
        {background !== undefined && (
          <img src={background} alt="" className="absolute inset-0 size-full object-cover" />
        )}
        <div className="absolute top-3 right-3">{profile && <EditButton kind="background" profile={profile} />}</div>
      </div>
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3 px-5 pb-5 sm:px-6">
        <div className="relative -mt-12 rounded-round border-4 border-surface">
          <Avatar accountId={owner ?? ''} name={name} size="huge" picture={picture} />
          <div className="absolute -right-2 -bottom-2">
            {profile && <EditButton kind="picture" profile={profile} />}
          </div>
        </div>
        <div className="min-w-40 grow basis-0">
          <p dir="auto" className="text-title font-bold wrap-anywhere">
            {name}
          </p>
          <p dir="ltr" className="text-small text-muted wrap-anywhere">
            @{username}
          </p>
        </div>
        <div className="w-full sm:w-64 sm:pt-4">
          <Strength profile={profile} />
        </div>
      </div>
    </section>
  );
}

function Strength({ profile }: { profile: Profile | undefined }) {
  const { t } = useTranslation('profile');
  const { code } = useLocale();
  const local = useLocalPath();
  const { value, next } = profile ? computeStrength(profile) : { value: placeholderStrength };
  return (
    <>
      <StrengthIndicator value={value} label={t('header.strength')} text={formatPercent(code, value)} />
      <p className="mt-1 min-h-6 text-small">
        {next ? (
          <Link to={local(next.path)} className="inline-flex min-h-6 items-center text-accent hover:underline">
            {t(`steps.${next.step}`)}
          </Link>
        ) : (
          profile && <span className="text-muted">{t('steps.done')}</span>
        )}
      </p>
    </>
  );
}
