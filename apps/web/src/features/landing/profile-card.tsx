import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { formatPercent } from '../../core/i18n/format-number.ts';
import { paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { useLocale, useLocalPath } from '../../core/i18n/use-locale.ts';
import { colourOf, initialsOf } from '../../ui/avatar-look.ts';
import { StrengthIndicator } from '../../ui/strength-indicator.tsx';
import { useOwnStrength } from './use-own-strength.ts';

/** Shown until the profile is loaded. */
const placeholderStrength = 50;
const sample = { id: 'sample', strength: 72 };

/** The user's own profile, or a sample for visitors. */
export function ProfileCard() {
  const { t } = useTranslation('landing');
  const { code } = useLocale();
  const local = useLocalPath();
  const session = useSession();
  const isOwn = session.status === 'signed-in';
  const id = isOwn ? session.account.id : sample.id;
  const name = (isOwn ? (session.account.name ?? session.account.username) : undefined) ?? t('card.sampleName');
  const own = useOwnStrength(isOwn ? session.account.id : undefined);
  const strength = isOwn ? (own ?? placeholderStrength) : sample.strength;

  return (
    <div className="absolute bottom-4 left-4 flex w-80 max-w-[calc(100%-2rem)] items-center gap-4 rounded-card border border-line bg-surface p-4 shadow-float lg:-bottom-6 lg:-left-10">
      <span
        aria-hidden
        className={`flex size-12 shrink-0 items-center justify-center rounded-round font-semibold text-on-avatar ${colourOf(id)}`}
      >
        {initialsOf(name)}
      </span>
      <div className="min-w-0 grow">
        <StrengthIndicator value={strength} label={t('card.strength')} text={formatPercent(code, strength)} />
        <p className="mt-1.5 text-small text-muted">
          {isOwn ? (
            <Link to={local(paths.profile)} className="text-accent underline underline-offset-3">
              {t('card.ownLink')}
            </Link>
          ) : (
            t('card.hint')
          )}
        </p>
      </div>
    </div>
  );
}
