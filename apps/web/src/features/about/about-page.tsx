import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { apiReferencePath, paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocale, useLocalPath } from '../../core/i18n/use-locale.ts';
import { productVersion } from '../../product.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { AboutSection } from './about-section.tsx';
import { EncryptionCards } from './encryption-cards.tsx';
import { LicenceTable } from './licence-table.tsx';
import { BuildFingerprint } from './build-fingerprint.tsx';
import { PromiseList } from './promise-list.tsx';

await requestTexts('about');

export const meta = pageMeta('about', 'about');

export default function AboutPage() {
  const { t } = useTranslation('about');
  const { name: language } = useLocale();
  const local = useLocalPath();
  const facts = [
    { name: t('version.number'), value: productVersion },
    { name: t('version.build'), value: __BUILD__ },
    { name: t('version.mark'), value: <BuildFingerprint /> },
    { name: t('version.language'), value: language },
  ];
  return (
    <article className="mx-auto max-w-5xl py-8 max-[18rem]:wrap-anywhere sm:py-12">
      <h1 className="text-headline font-bold">{t('pages.about.title')}</h1>
      <p className="mt-4 max-w-3xl text-lead text-muted">{t('intro')}</p>

      <div className="gap-x-12 lg:grid lg:grid-cols-2">
        <AboutSection id="project" title={t('project.title')}>
          <p className="mt-3">{t('project.why')}</p>
          <p className="mt-3">{t('project.money')}</p>
        </AboutSection>

        <AboutSection id="developer" title={t('developer.title')}>
          <p className="mt-3">{t('developer.text')}</p>
          <p className="mt-3">{t('developer.source')}</p>
          <p className="mt-3">
            {t('developer.operator')}{' '}
            <Link to={local(paths.privacy)} className="font-semibold underline underline-offset-4">
              {t('developer.privacy')}
            </Link>
          </p>
          <p className="mt-3">
            <a href={apiReferencePath} hrefLang="en" className="font-semibold underline underline-offset-4">
              {t('developer.api')}
            </a>
          </p>
        </AboutSection>
      </div>

      <AboutSection id="encryption" title={t('encryption.title')}>
        <EncryptionCards />
      </AboutSection>

      <div className="gap-x-12 lg:grid lg:grid-cols-2">
        <AboutSection id="protects" title={t('protects.title')}>
          <PromiseList
            kind="protects"
            sentences={[t('protects.thief'), t('protects.operator'), t('protects.network'), t('protects.mailbox')]}
          />
        </AboutSection>

        <AboutSection id="limits" title={t('limits.title')}>
          <PromiseList
            kind="limits"
            sentences={[
              t('limits.device'),
              t('limits.disk'),
              t('limits.person'),
              t('limits.traces'),
              t('limits.weak'),
              t('limits.code'),
              t('limits.lost'),
            ]}
          />
        </AboutSection>
      </div>

      <AboutSection id="version" title={t('version.title')}>
        <dl className="figures mt-4 grid max-w-md grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 max-[18rem]:grid-cols-1">
          {facts.map(({ name, value }) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="font-semibold">{value}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-4 max-w-3xl text-muted">{t('version.markText')}</p>
        <p className="mt-5">
          <Link to={local(paths.test)} className={buttonClass({ kind: 'secondary' })}>
            {t('version.check')}
          </Link>
        </p>
      </AboutSection>

      <AboutSection id="licences" title={t('licences.title')}>
        <p className="mt-3 max-w-3xl">{t('licences.text')}</p>
        <LicenceTable />
      </AboutSection>
    </article>
  );
}
