import { KeyRound, ShieldAlert } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { cx } from '../../../ui/cx.ts';

interface IdentityCardProps {
  name: string;
  /** The user had verified the old keys, so the card suggests verifying the new ones. */
  wasVerified: boolean;
  onAccept: () => void;
  onCompare: () => void;
  onBlock: () => void;
}

/** Shown above the composer while a contact's keys are not trusted. Accepting shows and sends the held messages. */
export function IdentityCard({ name, wasVerified, onAccept, onCompare, onBlock }: IdentityCardProps) {
  const { t } = useTranslation('chat');
  const Icon = wasVerified ? ShieldAlert : KeyRound;
  const accept = (
    <CustomButton kind={wasVerified ? 'quiet' : 'primary'} onClick={onAccept}>
      {wasVerified ? t('identity.anyway') : t('identity.accept', { name })}
    </CustomButton>
  );
  const compare = (
    <CustomButton kind={wasVerified ? 'primary' : 'quiet'} onClick={onCompare}>
      {t('identity.compare')}
    </CustomButton>
  );
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
        <p className="mt-1">{t('identity.hidden')}</p>
        <p className="mt-1 text-small text-muted wrap-anywhere">
          {wasVerified ? t('identity.verified', { name }) : t('identity.text')}
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          {wasVerified && compare}
          {accept}
          {!wasVerified && compare}
          <CustomButton kind="quiet" onClick={onBlock}>
            {t('identity.block')}
          </CustomButton>
        </div>
      </div>
    </section>
  );
}
