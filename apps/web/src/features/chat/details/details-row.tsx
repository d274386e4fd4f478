import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../../ui/cx.ts';

interface DetailsRowProps {
  icon: ReactNode;
  title: string;
  /** Current value of the setting. */
  value?: string;
  isDangerous?: boolean;
  onPress: () => void;
}

export function DetailsRow({ icon, title, value, isDangerous = false, onPress }: DetailsRowProps) {
  return (
    <button
      type="button"
      onClick={onPress}
      className={cx(
        'flex min-h-13 w-full items-center gap-4 rounded-field px-3 py-2 text-left outline-offset-[-2px] transition-colors',
        isDangerous ? 'text-danger hover:bg-danger-soft' : 'hover:bg-surface-2',
      )}
    >
      <span className={cx('shrink-0 [&_svg]:size-5.5', !isDangerous && 'text-muted')}>{icon}</span>
      <span className="min-w-0 grow">
        <span className="block">{title}</span>
        {value !== undefined && (
          <span dir="auto" className="block truncate text-small text-muted">
            {value}
          </span>
        )}
      </span>
      {!isDangerous && <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />}
    </button>
  );
}
