import { KeyRound } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { settingsCardClass } from '../settings-card.tsx';

interface RecoveryCodesCardProps {
  left: number;
  onRenew: () => void;
}

export function RecoveryCodesCard({ left, onRenew }: RecoveryCodesCardProps) {
  const { t } = useTranslation('factors');
  const id = useId();
  return (
    <section aria-labelledby={id} className={`${settingsCardClass} flex flex-wrap items-center gap-x-4 gap-y-3`}>
      <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent">
        <KeyRound aria-hidden className="size-5" />
      </span>
      <div className="min-w-48 grow basis-0">
        <h2 id={id} className="font-semibold">
          {t('codes.title')}
        </h2>
        <p className="text-small text-muted">{t('codes.left', { count: left })}</p>
      </div>
      <div className="max-sm:w-full max-sm:pl-15">
        <CustomButton kind="secondary" onClick={onRenew}>
          {t('codes.renew')}
        </CustomButton>
      </div>
    </section>
  );
}
