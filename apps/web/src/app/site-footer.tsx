import { useTranslation } from '../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { paths } from '../core/lib/paths.ts';
import { useLocalPath } from '../core/i18n/use-locale.ts';
import { productName } from '../product.ts';
import { Logo } from '../ui/logo.tsx';

const columns = [
  {
    title: 'footer.product',
    to: undefined,
    links: [
      { to: paths.home, text: 'nav.home' },
      { to: paths.about, text: 'nav.about' },
      { to: paths.contacts, text: 'nav.contacts' },
      { to: paths.profile, text: 'nav.profile' },
    ],
  },
  {
    title: 'nav.documentation',
    to: paths.tutorials,
    links: [
      { to: paths.tutorials, text: 'nav.tutorials' },
      { to: paths.components, text: 'nav.components' },
      { to: paths.test, text: 'footer.checks' },
    ],
  },
] as const;

export function SiteFooter() {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  return (
    <footer className="mt-auto border-t border-line">
      <div className="mx-auto flex w-full max-w-[86rem] flex-wrap gap-x-16 gap-y-8 px-4 py-10 sm:px-6 lg:px-10">
        <div className="min-w-56 grow">
          <p className="flex items-center gap-2.5 text-subtitle font-bold">
            <Logo className="size-8" />
            {productName}
          </p>
          <p className="mt-3 text-muted">{t('footer.line')}</p>
          <p className="figures mt-1 text-small text-muted">{t('footer.build', { build: __BUILD__ })}</p>
        </div>
        <nav aria-label={t('footer.label')} className="flex flex-wrap gap-x-16 gap-y-8">
          {columns.map((column) => (
            <div key={column.title} className="min-w-36">
              <p className="mb-1 font-semibold">
                {column.to === undefined ? (
                  t(column.title)
                ) : (
                  <Link to={local(column.to)} className="transition-colors hover:text-accent">
                    {t(column.title)}
                  </Link>
                )}
              </p>
              <ul>
                {column.links.map((link) => (
                  <li key={link.to}>
                    <Link
                      to={local(link.to)}
                      className="inline-flex min-h-11 items-center text-muted transition-colors hover:text-accent md:min-h-9"
                    >
                      {t(link.text)}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
    </footer>
  );
}
