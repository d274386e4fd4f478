import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link, Outlet } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { productName } from '../../product.ts';
import { Logo } from '../../ui/logo.tsx';
import { Steppe } from '../../ui/art/steppe.tsx';
import { LanguageSwitcher } from '../language-switcher.tsx';
import { contentId, SkipLink } from '../skip-link.tsx';
import { ThemeToggle } from '../theme-toggle.tsx';

/** The form without navigation; on wide screens, beside a view of the mountains. */
export default function SignUpLayout() {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <SkipLink />
      <div className="flex min-h-dvh flex-col">
        <header className="flex items-center justify-between gap-3 px-5 py-4 sm:px-8">
          <Link
            to={local(paths.home)}
            className="-ml-1 flex min-h-11 items-center gap-2.5 rounded-control px-1 text-title font-bold tracking-tight"
          >
            <Logo className="size-9" />
            {/* With large text a phone has no room for both. */}
            <span className="max-[15rem]:sr-only">{productName}</span>
          </Link>
          {/* A fixed width: a slow browser may paint the header after parsing half of it. */}
          <div className="flex w-[7.75rem] shrink-0 items-center justify-end gap-1">
            <LanguageSwitcher />
            <ThemeToggle />
          </div>
        </header>
        {/* At the top, not centred: content that the server adds later would move what is already there. */}
        <main id={contentId} tabIndex={-1} className="grow px-5 pt-6 pb-10 outline-none sm:px-8 sm:pt-[8vh]">
          <div className="mx-auto w-full max-w-[26rem]">
            <Outlet />
          </div>
        </main>
      </div>
      <aside className="relative hidden overflow-hidden lg:block" aria-label={t('aside.label')}>
        <Steppe className="absolute inset-0 size-full" />
        <p className="absolute inset-x-0 top-[14%] mx-auto max-w-md px-8 text-center text-headline font-bold text-balance text-text">
          {t('aside.line')}
        </p>
      </aside>
    </div>
  );
}
