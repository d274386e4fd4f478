import { ChevronRight } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link, Outlet, useLocation } from 'react-router';
import { stripLocale } from '../../core/i18n/locale.ts';
import { paths } from '../../core/lib/paths.ts';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { Frame } from '../frame.tsx';
import { NavItem } from '../nav-item.tsx';

// Component names are the same in every language.
const components = [
  { to: paths.customInput, name: 'custom-input' },
  { to: paths.customLabel, name: 'custom-label' },
  { to: paths.customButton, name: 'custom-button' },
  { to: paths.customPasswordInput, name: 'custom-password-input' },
];

const linkClass =
  'flex min-h-11 shrink-0 items-center rounded-control px-3 font-medium whitespace-nowrap text-muted transition-colors ' +
  'hover:bg-surface-2 hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-strong';

function Breadcrumbs() {
  const { t } = useTranslation('shell');
  const local = useLocalPath();
  const path = stripLocale(useLocation().pathname);
  const component = components.find(({ to }) => to === path);
  const trail = [
    { to: paths.tutorials, text: t('nav.documentation') },
    path === paths.tutorials
      ? { to: paths.tutorials, text: t('nav.tutorials') }
      : { to: paths.components, text: t('nav.components') },
    ...(component ? [{ to: component.to, text: component.name }] : []),
  ];
  return (
    <nav aria-label={t('nav.breadcrumbs')}>
      <ol className="flex flex-wrap items-center gap-x-1 text-small text-muted">
        {trail.map(({ to, text }, index) => (
          <li key={text} className="flex items-center gap-1">
            {index > 0 && <ChevronRight aria-hidden className="size-4" />}
            {index === trail.length - 1 ? (
              <span aria-current="page">{text}</span>
            ) : (
              <Link to={local(to)} className="inline-flex min-h-11 items-center hover:text-accent">
                {text}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

export default function DocumentationLayout() {
  const { t } = useTranslation('shell');
  return (
    <Frame>
      <div className="gap-10 pt-1 pb-16 lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:pt-4">
        <nav
          aria-label={t('nav.documentation')}
          className="-mx-4 mb-4 flex gap-1 overflow-x-auto px-4 py-1 sm:-mx-6 sm:px-6 lg:sticky lg:top-4 lg:mx-0 lg:mb-0 lg:flex-col lg:self-start lg:px-0"
        >
          <NavItem to={paths.tutorials} className={linkClass}>
            {t('nav.tutorials')}
          </NavItem>
          <NavItem isExact to={paths.components} className={linkClass}>
            {t('nav.components')}
          </NavItem>
          {components.map(({ to, name }) => (
            <NavItem key={to} to={to} className={`${linkClass} lg:pl-7`}>
              {name}
            </NavItem>
          ))}
        </nav>
        <div className="min-w-0">
          <Breadcrumbs />
          <Outlet />
        </div>
      </div>
    </Frame>
  );
}
