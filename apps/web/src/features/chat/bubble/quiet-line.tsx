import type { ReactNode } from 'react';

/** A system line, for example "a member joined" or "a timer was set". */
export function QuietLine({ children }: { children: ReactNode }) {
  return (
    <div className="flex justify-center px-4 py-2">
      <p className="rounded-round bg-surface/80 px-3 py-1 text-center text-small text-muted">{children}</p>
    </div>
  );
}
