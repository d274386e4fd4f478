import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Banner } from '../../ui/banner.tsx';

interface InviteNoteProps {
  /** Null for an invite of the operator. */
  inviter: string | null;
}

/** Above the sign-up form: who has invited the visitor. */
export function InviteNote({ inviter }: InviteNoteProps) {
  const { t } = useTranslation('auth');
  return (
    <div className="mb-5">
      <Banner kind="info">
        {inviter === null ? t('signUp.invitedByOperator') : t('signUp.invitedBy', { name: inviter })}
      </Banner>
    </div>
  );
}
