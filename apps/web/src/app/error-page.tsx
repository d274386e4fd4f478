import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { paths } from '../core/lib/paths.ts';
import { useLocalPath } from '../core/i18n/use-locale.ts';
import { buttonClass } from '../ui/button-class.ts';
import { Frame } from './frame.tsx';
import { mayReloadForScript, reloadOnce } from './watch-build.ts';

// Loaded only with the error page. If it can't be loaded, which may be why this page is shown, it is left out.
const LostYurt = lazy(async () => {
  const { LostYurt: drawing } = await import('../ui/art/lost-yurt.tsx').catch(() => ({ LostYurt: () => null }));
  return { default: drawing };
});

interface ErrorViewProps {
  code: number;
}

export function ErrorView({ code }: ErrorViewProps) {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const isMissing = code === 404;
  return (
    <Frame>
      <div className="mx-auto flex max-w-md flex-col items-center py-10 text-center sm:py-16">
        <div className="h-37.5 w-60 max-w-full">
          <Suspense>
            <LostYurt />
          </Suspense>
        </div>
        <p className="figures mt-8 font-semibold text-muted">{t('error.code', { code })}</p>
        <h1 className="mt-1 text-headline font-bold">
          {isMissing ? t('error.notFoundTitle') : t('error.serverTitle')}
        </h1>
        <p className="mt-3 text-muted">{isMissing ? t('error.notFoundText') : t('error.serverText')}</p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          {!isMissing && (
            <button type="button" onClick={() => window.location.reload()} className={buttonClass({ size: 'large' })}>
              {t('error.tryAgain')}
            </button>
          )}
          <Link
            to={local(paths.home)}
            className={buttonClass({ size: 'large', kind: isMissing ? 'primary' : 'secondary' })}
          >
            {t('error.goHome')}
          </Link>
        </div>
      </div>
    </Frame>
  );
}

/** build-steps/guard-route-modules.ts sets this name of the error. */
function isScriptGone(error: unknown): boolean {
  return error instanceof Error && error.name === 'ChunkLoadError';
}

export function ErrorPage() {
  const error = useRouteError();
  const [isReloading] = useState(() => isScriptGone(error) && mayReloadForScript(window.location.pathname));

  useEffect(() => {
    if (isReloading) reloadOnce(window.location.pathname);
  }, [isReloading]);

  // The reload follows at once, so no error is shown before it.
  if (isReloading) return null;
  return <ErrorView code={isRouteErrorResponse(error) ? error.status : 500} />;
}
