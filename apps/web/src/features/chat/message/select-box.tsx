import { Check } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { cx } from '../../../ui/cx.ts';

export function SelectBox({ isSelected }: { isSelected: boolean }) {
  const { t } = useTranslation('chat');
  return (
    <span
      role="checkbox"
      aria-label={t('actions.select')}
      aria-checked={isSelected}
      className={cx(
        'mr-2 flex size-6 shrink-0 items-center justify-center rounded-round border-2',
        isSelected ? 'border-accent bg-accent text-on-accent' : 'border-field-line bg-surface',
      )}
    >
      {isSelected && <Check aria-hidden className="size-4" />}
    </span>
  );
}
