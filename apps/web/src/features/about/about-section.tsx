import type { ReactNode } from 'react';

interface AboutSectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

export function AboutSection({ id, title, children }: AboutSectionProps) {
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="scroll-mt-24 text-title font-bold">
        {title}
      </h2>
      {children}
    </section>
  );
}
