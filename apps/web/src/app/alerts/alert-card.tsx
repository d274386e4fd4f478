import { type LucideIcon, ShieldAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

interface AlertCardProps {
  icon?: LucideIcon;
  title: string;
  text: string;
  /** Screen readers do not read it out at once, because nothing urgent has happened. */
  isQuiet?: boolean;
  /** The possible answers. */
  children: ReactNode;
}

/** Shown in a corner without blocking the page: the person can finish a sentence first. */
export function AlertCard({ icon: Icon = ShieldAlert, title, text, isQuiet = false, children }: AlertCardProps) {
  const id = useId();
  return (
    <section
      role={isQuiet ? undefined : 'alert'}
      aria-labelledby={id}
      className="fixed inset-x-3 bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-30 mx-auto max-w-md animate-rise rounded-card border border-line bg-surface p-4 shadow-float max-lg:bottom-20 lg:right-6 lg:left-auto lg:mx-0 lg:w-96"
    >
      <div className="flex gap-3">
        <Icon aria-hidden className="mt-0.5 size-6 shrink-0 text-accent" />
        <div className="min-w-0">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          <p className="mt-0.5 text-muted">{text}</p>
        </div>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">{children}</div>
    </section>
  );
}
