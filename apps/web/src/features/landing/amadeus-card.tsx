import { ASSISTANT_TITLE } from '@dostar/protocol/product';
import { useId } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { Badge } from '../../ui/badge.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { useAmadeusPath } from './use-amadeus-path.ts';

export function AmadeusCard() {
  const { t } = useTranslation('landing');
  const path = useAmadeusPath();
  const id = useId();
  return (
    <section aria-labelledby={id} className="mx-auto w-full max-w-[86rem] px-4 sm:px-6 lg:px-10">
      <div className="ornament grid items-center gap-8 overflow-hidden rounded-card bg-accent-soft p-6 sm:p-10 lg:grid-cols-2 lg:gap-16 lg:p-14">
        <div>
          <h2 id={id} className="text-headline font-bold tracking-tight">
            {t('amadeus.title')}
          </h2>
          <p className="mt-3 text-lead text-text">{t('amadeus.text')}</p>
          <Link to={path} className={`${buttonClass({ size: 'large' })} mt-7`}>
            {t('hero.amadeus')}
          </Link>
        </div>
        <div className="rounded-card bg-surface p-5 shadow-float">
          <div className="flex items-center gap-3">
            <span
              aria-hidden
              className="flex size-11 items-center justify-center rounded-round bg-avatar-1 font-semibold text-on-avatar"
            >
              {ASSISTANT_TITLE.slice(0, 2)}
            </span>
            <span className="font-semibold">{ASSISTANT_TITLE}</span>
            <Badge kind="accent">{t('amadeus.badge')}</Badge>
          </div>
          <p className="mt-4 w-fit rounded-bubble rounded-bl-tail bg-surface-2 px-4 py-2.5">{t('amadeus.greeting')}</p>
        </div>
      </div>
    </section>
  );
}
