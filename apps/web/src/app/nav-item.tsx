import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useIsCurrent, useLocalPath } from '../core/i18n/use-locale.ts';

interface NavItemProps {
  /** Of `paths`, without locale. */
  to: string;
  /** Pages below it do not count as being there. */
  isExact?: boolean;
  className: string;
  /** For a link that shows only a picture. */
  label?: string;
  onClick?: () => void;
  children: ReactNode;
}

// The router's own NavLink compares addresses by character, and prerendering adds a slash: the static page would say
// "you are elsewhere", and hydration does not correct attributes.
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
