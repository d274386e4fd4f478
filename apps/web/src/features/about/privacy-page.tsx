import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { AboutSection } from './about-section.tsx';
import { OperatorCard } from './operator-card.tsx';
import { PrivacyText } from './privacy-text.tsx';
import { useOperator } from './use-operator.ts';

await requestTexts('privacy');

export const meta = pageMeta('privacy', 'privacy');

/** Names the server's operator and shows the operator's privacy text, or the built-in one. */
export default function PrivacyPage() {
  const { t } = useTranslation('privacy');
  const { code } = useLocale();
  const operator = useOperator();
  const own = operator?.privacy[code] ?? operator?.privacy['en'];
  return (
    <article className="mx-auto max-w-3xl py-8 max-[18rem]:wrap-anywhere sm:py-12">
      <h1 className="text-headline font-bold">{t('pages.privacy.title')}</h1>
      <p className="mt-4 text-lead text-muted">{t('pages.privacy.description')}</p>
      <OperatorCard operator={operator} />
      {own === undefined ? (
        <PrivacyText />
      ) : (
        <AboutSection id="own" title={t('own.title')}>
          {own.split(/\n\s*\n/).map((paragraph) => (
            <p key={paragraph} className="mt-3 whitespace-pre-line">
              {paragraph}
            </p>
          ))}
        </AboutSection>
      )}
    </article>
  );
}
