import type { Verification } from '@dostar/client';
import { useTranslation } from '../../core/i18n/use-translation.ts';

/** Seven emoji with their names, in the order in which people read them out. */
export function VerificationEmoji({ emoji }: { emoji: NonNullable<Verification['emoji']> }) {
  const { t } = useTranslation('contacts');
  return (
    <ol className="mt-5 flex flex-wrap justify-center gap-x-2 gap-y-4">
      {emoji.map(({ symbol, name }, index) => (
        // The same emoji may occur twice, so its position is its key.
        <li key={index} className="flex w-19 flex-col items-center gap-1 text-center">
          <span aria-hidden className="text-headline">
            {symbol}
          </span>
          <span className="text-small leading-tight hyphens-auto wrap-anywhere">
            {t(`sas.${name as 'Dog'}`, { defaultValue: name })}
          </span>
        </li>
      ))}
    </ol>
  );
}
