import { useTranslation } from '../core/i18n/use-translation.ts';

export const contentId = 'content';

export function SkipLink() {
  const { t } = useTranslation('shell');
  return (
    <a
      href={`#${contentId}`}
      className="sr-only rounded-control bg-accent px-5 py-3 font-semibold text-on-accent focus-visible:not-sr-only focus-visible:fixed focus-visible:top-3 focus-visible:left-3 focus-visible:z-50"
    >
      {t('nav.skip')}
    </a>
  );
}
