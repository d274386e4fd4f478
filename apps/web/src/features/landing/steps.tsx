import { ArrowRight } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';
import { Section } from './section.tsx';

const steps = ['one', 'two', 'three'] as const;

export function Steps() {
  const { t } = useTranslation('landing');
  const local = useLocalPath();
  return (
    <Section title={t('steps.title')}>
      <ol className="mt-8 grid gap-x-8 gap-y-6 md:grid-cols-3">
        {steps.map((step, index) => (
          <li key={step} className="flex gap-4 border-t-2 border-accent pt-5">
            <span aria-hidden className="figures text-headline font-bold text-accent">
              {index + 1}
            </span>
            <div>
              <h3 className="text-subtitle font-semibold">{t(`steps.${step}.title`)}</h3>
              <p className="mt-1 text-muted">{t(`steps.${step}.text`)}</p>
            </div>
          </li>
        ))}
      </ol>
      <Link to={local(paths.tutorials)} className={`${buttonClass({ kind: 'quiet' })} mt-6 -ml-5`}>
        {t('steps.more')}
        <ArrowRight aria-hidden className="size-5" />
      </Link>
    </Section>
  );
}
