import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { useSession } from '../../core/session/session.ts';
import { useGoogle } from '../../core/session/use-google.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { GoogleIcon } from '../../ui/art/google-icon.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import { ChatPreview } from './chat-preview.tsx';
import { Counters } from './counters.tsx';
import { ProfileCard } from './profile-card.tsx';
import { useAmadeusPath } from './use-amadeus-path.ts';

export function Hero() {
  const { t } = useTranslation('landing');
  const local = useLocalPath();
  const amadeus = useAmadeusPath();
  const { isLeaving, go } = useGoogle();
  const isMember = useSession().status === 'signed-in';
  // Aligned at the top: with centring, both columns would move while a slow browser still parses the illustration.
  return (
    <section className="mx-auto grid w-full max-w-[86rem] gap-12 px-4 pt-6 sm:px-6 lg:grid-cols-[minmax(0,1.08fr)_minmax(0,1fr)] lg:items-start lg:gap-14 lg:px-10 lg:pt-8">
      <div className="lg:pt-11">
        <h1 className="text-hero-small font-bold tracking-[-0.03em] lg:text-hero">
          {t('hero.near')} <span className="text-accent">{t('hero.closed')}</span>
        </h1>
        <p className="mt-5 max-w-xl text-lead text-muted">{t('hero.lead')}</p>
        <div className="mt-8 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
          {isMember ? (
            <Link to={local(paths.contacts)} className={buttonClass({ size: 'large' })}>
              {t('hero.openChats')}
            </Link>
          ) : (
            <Link to={local(paths.signUp)} className={buttonClass({ size: 'large' })}>
              {t('hero.create')}
            </Link>
          )}
          <Link to={amadeus} className={buttonClass({ size: 'large', kind: 'secondary' })}>
            {t('hero.amadeus')}
          </Link>
          {!isMember && (
            <button
              type="button"
              aria-busy={isLeaving || undefined}
              onClick={() => void go()}
              className={`${buttonClass({ size: 'large', kind: 'secondary' })} without-google:hidden`}
            >
              <GoogleIcon />
              {t('hero.google')}
            </button>
          )}
        </div>
        <p className="mt-4 text-small text-muted">{t('hero.note')}</p>
        <Counters />
      </div>
      <div className="relative">
        <ChatPreview />
        <ProfileCard />
      </div>
    </section>
  );
}
