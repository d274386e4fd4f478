import { LockKeyhole } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';

interface EmptyChatProps {
  name: string;
  onWave: () => void;
}

export function EmptyChat({ name, onWave }: EmptyChatProps) {
  const { t } = useTranslation('chat');
  return (
    <div className="flex grow items-center justify-center p-6">
      <div className="flex max-w-sm flex-col items-center rounded-card bg-surface p-6 text-center shadow-card">
        <LockKeyhole aria-hidden className="size-8 text-accent" />
        <h2 className="mt-3 text-subtitle font-semibold">{t('timeline.empty')}</h2>
        <p className="mt-1 text-muted">{t('timeline.emptyText', { name })}</p>
        <div className="mt-4">
          <CustomButton kind="secondary" onClick={onWave}>
            {t('timeline.wave')} 👋
          </CustomButton>
        </div>
      </div>
    </div>
  );
}
