import { X } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';

interface TransferRingProps {
  /** 0 to 1. */
  progress: number;
  onCancel: () => void;
}

const RADIUS = 19;
const ROUND = 2 * Math.PI * RADIUS;

/** Progress ring around a cancel button. */
export function TransferRing({ progress, onCancel }: TransferRingProps) {
  const { t } = useTranslation('chat');
  return (
    <button
      type="button"
      aria-label={t('media.cancel')}
      title={t('media.cancel')}
      onClick={onCancel}
      className="relative flex size-11 shrink-0 items-center justify-center rounded-round bg-scrim text-on-scrim"
    >
      <X aria-hidden className="size-5" />
      <svg
        role="progressbar"
        aria-label={t('media.progress')}
        aria-valuenow={Math.round(progress * 100)}
        viewBox="0 0 44 44"
        className="absolute inset-0 -rotate-90"
      >
        <circle
          cx={22}
          cy={22}
          r={RADIUS}
          fill="none"
          stroke="currentColor"
          strokeWidth={3}
          strokeLinecap="round"
          strokeDasharray={ROUND}
          strokeDashoffset={ROUND * (1 - Math.max(progress, 0.02))}
        />
      </svg>
    </button>
  );
}
