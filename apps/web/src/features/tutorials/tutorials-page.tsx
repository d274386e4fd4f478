import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { TopicSection } from './topic-section.tsx';
import { topics } from './topics.ts';

await requestTexts('tutorials');

export const meta = pageMeta('tutorials', 'tutorials');

export default function TutorialsPage() {
  const { t } = useTranslation('tutorials');
  const local = useLocalPath();
  return (
    <article>
      <h1 className="text-headline font-bold">{t('pages.tutorials.title')}</h1>
      <p className="mt-4 max-w-3xl text-lead text-muted">{t('intro')}</p>
      <nav aria-label={t('contents')} className="mt-6">
        <ul className="flex flex-wrap gap-2">
          {topics.map(({ id, title }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="tap inline-flex items-center rounded-round bg-surface-2 px-4 font-semibold transition-colors hover:bg-accent-soft hover:text-accent-strong"
              >
                {t(title)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {topics.map((topic) => (
        <TopicSection key={topic.id} topic={topic} />
      ))}
      <section aria-labelledby="more" className="mt-12 rounded-card bg-surface p-6 shadow-card">
        <h2 id="more" className="text-title font-bold">
          {t('more.title')}
        </h2>
        <p className="mt-2 text-muted">{t('more.text')}</p>
        <p className="mt-5">
          <Link to={local(paths.test)} className={buttonClass({ kind: 'secondary' })}>
            {t('more.check')}
          </Link>
        </p>
      </section>
    </article>
  );
}
