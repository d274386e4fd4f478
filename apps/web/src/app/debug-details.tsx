import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { useLocation } from 'react-router';
import { useLocale } from '../core/i18n/use-locale.ts';

// Loaded only when the panel is opened: the first pages contain no socket code.
const DebugSocket = lazy(async () => ({ default: (await import('./debug-socket.tsx')).DebugSocket }));

/** Shows build, locale, route and socket. Never a token, a key or a name. */
export function DebugDetails() {
  const { t } = useTranslation('shell');
  const { code } = useLocale();
  const { pathname } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  return (
    // Half-way up the edge: the corners have the chat's buttons and the page navigation.
    <details
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      className="group fixed top-1/2 left-0 z-10 max-w-[calc(100vw-1rem)] -translate-y-1/2 rounded-r-chip border border-l-0 border-line bg-surface text-meta text-muted print:hidden"
    >
      <summary className="flex min-h-6 min-w-6 list-none items-center px-2 [writing-mode:vertical-rl] group-open:[writing-mode:horizontal-tb]">
        {t('debug.label')}
      </summary>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 px-2 pb-1.5 font-mono">
        <dt>{t('debug.build')}</dt>
        <dd>{__BUILD__}</dd>
        <dt>{t('debug.locale')}</dt>
        <dd>{code}</dd>
        <dt>{t('debug.route')}</dt>
        <dd className="truncate">{pathname}</dd>
        <dt>{t('debug.socket')}</dt>
        <dd>
          <Suspense>{isOpen && <DebugSocket />}</Suspense>
        </dd>
      </dl>
    </details>
  );
}
