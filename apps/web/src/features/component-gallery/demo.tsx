import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Link } from 'react-router';
import { useLocalPath } from '../../core/i18n/use-locale.ts';
import { cx } from '../../ui/cx.ts';

interface DemoProps {
  /** File name of the component. */
  name: string;
  text: string;
  /** Path of the component's own page, if it has one. */
  to?: string;
  isWide?: boolean;
  children: ReactNode;
}

export function Demo({ name, text, to, isWide = false, children }: DemoProps) {
  const { t } = useTranslation('components');
  const local = useLocalPath();
  return (
    <article
      id={name}
      className={cx('min-w-0 rounded-card border border-line bg-surface p-5 shadow-card', isWide && 'md:col-span-2')}
    >
      <h3 className="font-mono text-small font-semibold text-accent">{name}</h3>
      <p className="mt-0.5 text-small text-muted">{text}</p>
      <div className="mt-4 flex flex-col gap-4">{children}</div>
      {to !== undefined && (
        <Link
          to={local(to)}
          className="mt-3 inline-flex min-h-11 items-center gap-2 font-semibold text-accent hover:underline"
        >
          {t('open')}
          <span className="sr-only">{name}</span>
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      )}
    </article>
  );
}

export function DemoRow({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>;
}

export function DemoGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-10">
      <h2 className="text-title font-bold">{title}</h2>
      <div className="mt-4 grid gap-4 md:grid-cols-2">{children}</div>
    </section>
  );
}
