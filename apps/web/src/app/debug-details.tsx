import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { useLocale } from '../core/use-locale.ts';

/** Build, locale, route and socket. Never a token, never a key, never a name. */
export function DebugDetails() {
  const { t } = useTranslation('shell');
  const { code } = useLocale();
  const { pathname } = useLocation();
  return (
    <details className="fixed bottom-2 left-2 z-10 max-w-[calc(100vw-1rem)] rounded-chip border border-line bg-surface text-meta text-muted print:hidden">
      <summary className="flex min-h-6 list-none items-center px-2">{t('debug.label')}</summary>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 px-2 pb-1.5 font-mono">
        <dt>{t('debug.build')}</dt>
        <dd>{__BUILD__}</dd>
        <dt>{t('debug.locale')}</dt>
        <dd>{code}</dd>
        <dt>{t('debug.route')}</dt>
        <dd className="truncate">{pathname}</dd>
        <dt>{t('debug.socket')}</dt>
        <dd>{t('debug.closed')}</dd>
      </dl>
    </details>
  );
}
