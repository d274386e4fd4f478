import type { ReactNode } from 'react';

interface PeopleCardProps {
  title: string;
  text?: string;
  children?: ReactNode;
}

export function PeopleCard({ title, text, children }: PeopleCardProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-card bg-surface p-4 shadow-card sm:p-5">
      <h2 className="text-subtitle font-semibold">{title}</h2>
      {text !== undefined && <p className="mt-1 text-muted">{text}</p>}
      {children}
    </section>
  );
}
