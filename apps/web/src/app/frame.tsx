import type { ReactNode } from 'react';
import { BottomNav } from './bottom-nav.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import { contentId, SkipLink } from './skip-link.tsx';

interface FrameProps {
  children: ReactNode;
  /** `wide` pages use the whole width; the others get a column. */
  width?: 'wide' | 'page' | 'column';
}

const widths = {
  wide: 'w-full',
  page: 'mx-auto w-full max-w-[86rem] px-4 sm:px-6 lg:px-10',
  column: 'mx-auto w-full max-w-3xl px-4 sm:px-6',
};

export function Frame({ children, width = 'page' }: FrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <SiteHeader />
      <main id={contentId} tabIndex={-1} className={`${widths[width]} grow outline-none`}>
        {children}
      </main>
      <SiteFooter />
      <BottomNav />
    </div>
  );
}
