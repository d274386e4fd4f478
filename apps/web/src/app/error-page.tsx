import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { paths } from '../core/paths.ts';
import { useLocalPath } from '../core/use-locale.ts';

interface ErrorViewProps {
  code: number;
}

export function ErrorView({ code }: ErrorViewProps) {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const isMissing = code === 404;
  return (
    <main id="content">
      <p>{t('error.code', { code })}</p>
      <h1>{isMissing ? t('error.notFoundTitle') : t('error.serverTitle')}</h1>
      <p>{isMissing ? t('error.notFoundText') : t('error.serverText')}</p>
      <Link to={local(paths.home)}>{t('error.goHome')}</Link>
    </main>
  );
}

export function ErrorPage() {
  const error = useRouteError();
  return <ErrorView code={isRouteErrorResponse(error) ? error.status : 500} />;
}
