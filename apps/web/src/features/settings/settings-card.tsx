import { type ReactNode, useId } from 'react';

export const settingsCardClass = 'rounded-card border border-line bg-surface p-5 shadow-card sm:p-6';

interface SettingsCardProps {
  title: string;
  /** One or two sentences below the title. */
  text?: ReactNode;
  children?: ReactNode;
}

/** Card of one setting with its title, description and controls. */
export function SettingsCard({ title, text, children }: SettingsCardProps) {
  const id = useId();
  return (
    <section className={settingsCardClass} aria-labelledby={id}>
      <h2 id={id} className="mb-1 text-field font-semibold">
        {title}
      </h2>
      {text !== undefined && <p className="mb-4 text-muted">{text}</p>}
      {children}
    </section>
  );
}
