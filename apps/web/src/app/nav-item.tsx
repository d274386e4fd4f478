import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useIsCurrent, useLocalPath } from '../core/i18n/use-locale.ts';

interface NavItemProps {
  /** A path of `paths`, without locale. */
  to: string;
  /** The link is not current on pages below its path. */
  isExact?: boolean;
  className: string;
  /** The accessible name of a link that shows only a picture. */
  label?: string;
  onClick?: () => void;
  children: ReactNode;
}

// The router's own NavLink compares paths by character, but prerendering adds a slash: the static page would not mark
// the link as current, and hydration does not correct attributes.
export function NavItem({ to, isExact = false, className, label, onClick, children }: NavItemProps) {
  const local = useLocalPath();
  const isCurrent = useIsCurrent();
  return (
    <Link
      to={local(to)}
      aria-current={isCurrent(to, isExact) ? 'page' : undefined}
      className={className}
      {...(label === undefined ? {} : { 'aria-label': label, title: label })}
      {...(onClick ? { onClick } : {})}
    >
      {children}
    </Link>
  );
}
