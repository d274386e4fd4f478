import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';

export function BlockedCard({ name, onUnblock }: { name: string; onUnblock: () => void }) {
  const { t } = useTranslation('chat');
  return (
    <section className="mx-auto flex w-full max-w-2xl flex-wrap items-center justify-center gap-3 rounded-card bg-surface p-3 shadow-card">
      <p>{t('request.blocked', { name })}</p>
      <CustomButton kind="secondary" onClick={onUnblock}>
        {t('request.unblock')}
      </CustomButton>
    </section>
  );
}
