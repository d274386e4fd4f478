import { type ReactNode, useId } from 'react';

interface SectionProps {
  title: string;
  children: ReactNode;
}

export function Section({ title, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mx-auto w-full max-w-[86rem] px-4 sm:px-6 lg:px-10">
      <h2 id={id} className="text-headline font-bold tracking-tight">
        {title}
      </h2>
      {children}
    </section>
  );
}
