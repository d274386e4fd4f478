import { Lightbulb } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { TopicScreenshot } from './topic-screenshot.tsx';
import type { Topic } from './topics.ts';

interface TopicSectionProps {
  topic: Topic;
}

export function TopicSection({ topic }: TopicSectionProps) {
  const { t } = useTranslation('tutorials');
  const title = t(topic.title);
  return (
    <section aria-labelledby={topic.id} className="mt-12">
      <h2 id={topic.id} className="scroll-mt-24 text-title font-bold">
        {title}
      </h2>
      <div className="mt-5 gap-8 md:flex">
        <div className="min-w-0 grow">
          <ol className="space-y-4">
            {topic.steps.map((step, index) => (
              <li key={step} className="flex gap-4">
                <span
                  aria-hidden
                  className="figures flex size-8 shrink-0 items-center justify-center rounded-round bg-accent-soft font-bold text-accent-strong"
                >
                  {index + 1}
                </span>
                <p className="max-w-2xl pt-1">{t(step)}</p>
              </li>
            ))}
          </ol>
          <p className="mt-5 flex max-w-2xl gap-3 rounded-field bg-sun-soft p-4">
            <Lightbulb aria-hidden className="size-5 shrink-0" />
            <span>
              <b className="font-semibold">{t('good')}</b>
              {': '}
              {t(topic.note)}
            </span>
          </p>
        </div>
        <TopicScreenshot name={topic.shot} title={title} />
      </div>
    </section>
  );
}
