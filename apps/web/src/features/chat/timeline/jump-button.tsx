import { ChevronDown } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Badge } from '../../../ui/badge.tsx';

interface JumpButtonProps {
  isShown: boolean;
  count: number;
  onPress: () => void;
}

export function JumpButton({ isShown, count, onPress }: JumpButtonProps) {
  const { t } = useTranslation('chat');
  if (!isShown) return null;
  return (
    <button
      type="button"
      aria-label={t('timeline.jump')}
      title={t('timeline.jump')}
      onClick={onPress}
      className="tap absolute right-4 bottom-3 inline-flex animate-rise items-center justify-center rounded-round bg-surface text-muted shadow-float transition-colors hover:text-text forced-colors:border"
    >
      <ChevronDown aria-hidden className="size-6" />
      {count > 0 && (
        <span className="absolute -top-2">
          <Badge kind="sun" label={t('timeline.unread', { count: count })}>
            {count > 99 ? '99+' : count}
          </Badge>
        </span>
      )}
    </button>
  );
}
