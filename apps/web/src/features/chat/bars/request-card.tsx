import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';

interface RequestCardProps {
  name: string;
  onDecide: (decision: 'accept' | 'decline' | 'block') => void;
  onReport: () => void;
}

/** Replaces the composer until the user answers a stranger's request. */
export function RequestCard({ name, onDecide, onReport }: RequestCardProps) {
  const { t } = useTranslation('chat');
  return (
    <section className="mx-auto w-full max-w-2xl rounded-card bg-surface p-4 text-center shadow-card">
      <h2 className="font-semibold">{t('request.title', { name })}</h2>
      <p className="mt-1 text-small text-muted">{t('request.text')}</p>
      <div className="mt-3 flex flex-wrap justify-center gap-2">
        <CustomButton onClick={() => onDecide('accept')}>{t('request.accept')}</CustomButton>
        <CustomButton kind="secondary" onClick={() => onDecide('decline')}>
          {t('request.decline')}
        </CustomButton>
        <CustomButton kind="quiet" onClick={() => onDecide('block')}>
          {t('request.block')}
        </CustomButton>
        <CustomButton kind="quiet" onClick={onReport}>
          {t('request.report')}
        </CustomButton>
      </div>
    </section>
  );
}
