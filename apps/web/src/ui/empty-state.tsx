import type { ReactNode } from 'react';

interface EmptyStateProps {
  picture: ReactNode;
  title: string;
  text: string;
  /** A button or link for the next step. */
  action?: ReactNode;
  heading?: 'h1' | 'h2' | 'h4';
}

export function EmptyState({ picture, title, text, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-4 py-12 text-center">
      <div className="mb-6 text-accent">{picture}</div>
      <Heading className="text-title font-bold">{title}</Heading>
      <p className="mt-2 text-muted">{text}</p>
      {action !== undefined && <div className="mt-6 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  );
}
