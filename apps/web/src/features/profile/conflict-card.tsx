import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomButton } from '../../ui/custom-button.tsx';

interface ConflictCardProps {
  theirs: unknown;
  onTake: () => void;
  onKeep: () => void;
}

/** Shown when another tab or device saved a different value: lets the user choose between the two. */
export function ConflictCard({ theirs, onTake, onKeep }: ConflictCardProps) {
  const { t } = useTranslation('profile');
  const lines = listLines(theirs);
  return (
    <section role="alert" className="rounded-field bg-sun-soft p-4">
      <h2 className="font-semibold">{t('conflict.title')}</h2>
      <p className="mt-1">{t('conflict.text')}</p>
      <p dir="auto" className="mt-1 wrap-anywhere">
        {lines.length > 0 ? lines.join(' · ') : t('conflict.empty')}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <CustomButton kind="secondary" onClick={onTake}>
          {t('conflict.theirs')}
        </CustomButton>
        <CustomButton kind="secondary" onClick={onKeep}>
          {t('conflict.mine')}
        </CustomButton>
      </div>
    </section>
  );
}

function listLines(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listLines);
}
