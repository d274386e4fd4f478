import { formatDay } from '../../../core/i18n/format-date.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { useNow } from '../../../core/lib/use-now.ts';

export function DayChip({ at }: { at: number }) {
  const { code } = useLocale();
  const now = useNow();
  return (
    <div className="flex justify-center py-2.5">
      <span className="rounded-round bg-surface px-3 py-1 text-small text-muted shadow-card">
        {formatDay(code, new Date(at), new Date(now))}
      </span>
    </div>
  );
}
