import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link, useLocation } from 'react-router';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { stripLocale } from '../../core/i18n/locale.ts';
import { paths } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { cx } from '../../ui/cx.ts';
import type { Check } from './check.ts';
import { CheckRow } from './check-row.tsx';
import { writeReport } from './report.ts';
import { useChecks } from './use-checks.ts';

interface CheckListProps {
  title: string;
  text: string;
  checks: readonly Check[];
}

const pages = [
  { path: paths.test, title: 'pages.test.title' },
  { path: paths.test2, title: 'pages.test2.title' },
  { path: paths.test3, title: 'pages.test3.title' },
  { path: paths.test4, title: 'pages.test4.title' },
  { path: paths.test5, title: 'pages.test5.title' },
] as const;

/** Layout of the five diagnostics pages. */
export function CheckList({ title, text, checks }: CheckListProps) {
  const { t } = useTranslation('checks');
  const local = useLocalPath();
  const path = stripLocale(useLocation().pathname);
  const { results, finishedAt, runAgain, press } = useChecks(checks);
  const isRunning = finishedAt === undefined;
  const failed = Object.values(results).filter(({ state }) => state === 'fail').length;
  const report = isRunning
    ? ''
    : writeReport({ path, build: __BUILD__, agent: navigator.userAgent, at: finishedAt }, checks, results);

  async function copyReport(): Promise<void> {
    try {
      await navigator.clipboard.writeText(report);
      showFeedback('success', t('copied'), successDuration);
    } catch {
      showFeedback('error', t('copyFailed'));
    }
  }

  return (
    <div className="py-8">
      <nav aria-label={t('nav')} className="-mx-4 mb-8 px-4 sm:mx-0 sm:px-0">
        <ul className="flex gap-2 overflow-x-auto p-1 whitespace-nowrap sm:flex-wrap">
          {pages.map((page) => (
            <li key={page.path}>
              <Link
                to={local(page.path)}
                aria-current={page.path === path ? 'page' : undefined}
                className={cx(
                  'tap inline-flex shrink-0 items-center rounded-round px-4 font-semibold whitespace-nowrap transition-colors',
                  page.path === path ? 'bg-accent text-on-accent' : 'bg-surface-2 hover:bg-accent-soft',
                )}
              >
                {t(page.title)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <h1 className="text-headline font-bold">{title}</h1>
      <p className="mt-2 text-muted">{text}</p>
      <p role="status" className="mt-6 font-semibold">
        {isRunning && t('summary.running')}
        {!isRunning && (failed === 0 ? t('summary.good') : t('summary.bad', { count: failed }))}
      </p>
      <ul className="mt-3 rounded-card bg-surface px-5 py-1 shadow-card">
        {checks.map((check) => (
          <CheckRow key={check.id} check={check} outcome={results[check.id] ?? { state: 'waiting' }} onPress={press} />
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        <CustomButton onClick={runAgain} isWaiting={isRunning}>
          {t('again')}
        </CustomButton>
        <CustomButton kind="secondary" onClick={() => void copyReport()} disabled={isRunning}>
          {t('copy')}
        </CustomButton>
      </div>
      <details className="mt-6">
        <summary className="tap inline-flex items-center text-muted">{t('report')}</summary>
        {/* Focusable, so that keyboard users can scroll long lines. */}
        <pre tabIndex={0} className="mt-2 overflow-x-auto rounded-field bg-surface-2 p-4 font-mono text-small">
          {report}
        </pre>
      </details>
    </div>
  );
}
