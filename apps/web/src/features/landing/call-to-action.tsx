import { useId } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { Panorama } from '../../ui/art/panorama.tsx';
import { buttonClass } from '../../ui/button-class.ts';

export function CallToAction() {
  const { t } = useTranslation('landing');
  const local = useLocalPath();
  const id = useId();
  const isMember = useSession().status === 'signed-in';
  return (
    <section aria-labelledby={id} className="mx-auto w-full max-w-[86rem] px-4 sm:px-6 lg:px-10">
      <div className="relative isolate overflow-hidden rounded-card border border-line px-6 pt-12 pb-52 text-center sm:pt-16 sm:pb-64">
        <Panorama className="absolute inset-0 -z-10 size-full" />
        <h2 id={id} className="text-headline font-bold tracking-tight lg:text-hero-small">
          {t('end.title')}
        </h2>
        <Link
          to={local(isMember ? paths.contacts : paths.signUp)}
          className={`${buttonClass({ size: 'large' })} mt-7 shadow-float`}
        >
          {isMember ? t('hero.openChats') : t('hero.create')}
        </Link>
      </div>
    </section>
  );
}
