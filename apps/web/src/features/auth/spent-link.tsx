import { Hourglass, MailCheck, WifiOff } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IncompleteLink } from './incomplete-link.tsx';

interface SpentLinkProps {
  is: 'incomplete' | 'used' | 'expired' | 'offline';
  /** Page where the user can request a new email, or see the result of a used link. */
  next: string;
  nextLabel: string;
}

const pictures = { used: MailCheck, expired: Hourglass, offline: WifiOff };

/** Shown when a link from an email cannot be used. */
export function SpentLink({ is, next, nextLabel }: SpentLinkProps) {
  const { t } = useTranslation('recovery');
  const local = useLocalPath();
  if (is === 'incomplete') return <IncompleteLink />;
  const Picture = pictures[is];
  return (
    <EmptyState
      heading="h1"
      picture={<Picture aria-hidden className="size-12" strokeWidth={1.5} />}
      title={t(`link.${is}.title`)}
      text={t(`link.${is}.text`)}
      action={
        <Link to={local(next)} className={buttonClass({ kind: 'secondary' })}>
          {nextLabel}
        </Link>
      }
    />
  );
}
