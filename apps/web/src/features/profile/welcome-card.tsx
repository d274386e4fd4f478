import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { buttonClass } from '../../ui/button-class.ts';

/** Shown to new users: what to fill in, and a link to the chats. */
export function WelcomeCard() {
  const { t } = useTranslation('profile');
  const local = useLocalPath();
  return (
    <section className="flex flex-wrap items-center gap-4 rounded-card bg-accent-soft p-5 sm:p-6">
      <div className="min-w-56 grow basis-0">
        <h2 className="text-field font-semibold">{t('welcome.title')}</h2>
        <p className="mt-1">{t('welcome.text')}</p>
      </div>
      <Link to={local(paths.contacts)} className={buttonClass({ size: 'large' })}>
        {t('welcome.open')}
      </Link>
    </section>
  );
}
