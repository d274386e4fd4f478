import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** A link beside the button, large enough for a thumb. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="inline-flex min-h-11 items-center font-semibold text-accent hover:underline">
      {children}
    </Link>
  );
}
