import { ArrowRight, Eye, ShieldCheck } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { Section } from './section.tsx';

const sides = [
  { key: 'yes', icon: ShieldCheck, look: 'text-ok', lines: ['yes1', 'yes2', 'yes3'] },
  { key: 'no', icon: Eye, look: 'text-muted', lines: ['no1', 'no2', 'no3'] },
] as const;

export function Honesty() {
  const { t } = useTranslation('landing');
  const local = useLocalPath();
  return (
    <Section title={t('honest.title')}>
      <p className="mt-2 max-w-2xl text-lead text-muted">{t('honest.text')}</p>
      <div className="mt-8 grid gap-5 md:grid-cols-2">
        {sides.map(({ key, icon: Icon, look, lines }) => (
          <div key={key} className="rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
            <h3 className={`flex items-center gap-3 text-subtitle font-semibold ${look}`}>
              <Icon aria-hidden className="size-6" />
              {t(`honest.${key}`)}
            </h3>
            <ul className="mt-2 divide-y divide-line">
              {lines.map((line) => (
                <li key={line} className="py-3">
                  {t(`honest.${line}`)}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <Link to={local(paths.about)} className={`${buttonClass({ kind: 'quiet' })} mt-6 -ml-5`}>
        {t('honest.link')}
        <ArrowRight aria-hidden className="size-5" />
      </Link>
    </Section>
  );
}
