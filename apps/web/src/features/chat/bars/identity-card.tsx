import { KeyRound, ShieldAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { cx } from '../../../ui/cx.ts';

interface IdentityCardProps {
  name: string;
  /** The keys had been compared in person: accepting takes a second thought. */
  wasVerified: boolean;
  onAccept: () => void;
  onCompare: () => void;
}

/** Above the composer while somebody's keys are new: one press, and what waits is sent. Louder where they were compared. */
export function IdentityCard({ name, wasVerified, onAccept, onCompare }: IdentityCardProps) {
  const { t } = useTranslation('chat');
  const { t: tell } = useTranslation('contacts');
  const Icon = wasVerified ? ShieldAlert : KeyRound;
  return (
    <section
      role={wasVerified ? 'alert' : 'status'}
      className={cx(
        'mx-auto flex w-full max-w-2xl gap-4 rounded-card border-2 bg-surface p-4 shadow-card',
        wasVerified ? 'border-danger' : 'border-transparent',
      )}
    >
      <Icon aria-hidden className={cx('size-6 shrink-0', wasVerified ? 'text-danger' : 'text-accent')} />
      <div className="min-w-0 grow">
        <h2 className="font-semibold wrap-anywhere">{t('identity.title', { name })}</h2>
        <p className="mt-1 text-small text-muted">
          {wasVerified ? t('identity.verified', { name }) : t('identity.text')}
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          {wasVerified && <CustomButton onClick={onCompare}>{tell('trust.again')}</CustomButton>}
          <CustomButton kind={wasVerified ? 'quiet' : 'primary'} onClick={onAccept}>
            {wasVerified ? t('identity.anyway') : t('identity.accept', { name })}
          </CustomButton>
        </div>
      </div>
    </section>
  );
}
