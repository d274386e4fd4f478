import { DoorClosed, Ticket, TicketX } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { paths } from '../../core/lib/paths.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { SignUpPolicy } from './use-sign-up-policy.ts';

const pictures = { closed: DoorClosed, invite: Ticket, gone: TicketX };

/** Says why the visitor can't create an account here. */
export function NoSignUp({ refusal }: { refusal: NonNullable<SignUpPolicy['refusal']> }) {
  const { t } = useTranslation('auth');
  const local = useLocalPath();
  const { search } = useLocation();
  const Picture = pictures[refusal];
  return (
    <EmptyState
      heading="h1"
      picture={<Picture aria-hidden className="size-16" strokeWidth={1.25} />}
      title={t(`noSignUp.${refusal}.title`)}
      text={t(`noSignUp.${refusal}.text`)}
      action={
        <Link to={local(paths.signIn) + search} className={buttonClass({})}>
          {t('noSignUp.signIn')}
        </Link>
      }
    />
  );
}
