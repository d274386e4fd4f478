import { Hourglass } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';

/** Shown until the contact accepts the request: explains why the user cannot send a second message. */
export function PendingCard({ name, onWithdraw }: { name: string; onWithdraw: () => void }) {
  const { t } = useTranslation('contacts');
  return (
    <section className="mx-auto flex w-full max-w-2xl flex-wrap items-center gap-x-4 gap-y-2 rounded-card bg-surface px-4 py-3 shadow-card">
      <Hourglass aria-hidden className="size-5 shrink-0 text-accent" />
      <div className="min-w-48 grow basis-0">
        <h2 className="font-semibold wrap-anywhere">{t('pending.title', { name })}</h2>
        <p className="text-small text-muted">{t('pending.text')}</p>
      </div>
      <CustomButton kind="quiet" onClick={onWithdraw}>
        {t('pending.withdraw')}
      </CustomButton>
    </section>
  );
}
