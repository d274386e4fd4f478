import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomButton } from '../../ui/custom-button.tsx';

interface Prop {
  name: string;
  type: string;
  text: string;
}

interface Key {
  keys: string;
  text: string;
}

interface ComponentPageProps {
  name: string;
  text: string;
  children: ReactNode;
  props: readonly Prop[];
  keys: readonly Key[];
  usage: string;
}

const cellClass = 'border-t border-line py-2.5 pr-4 align-top';

function Usage({ code }: { code: string }) {
  const { t } = useTranslation('components');
  const [isCopied, setIsCopied] = useState(false);

  async function handleCopy(): Promise<void> {
    await navigator.clipboard.writeText(code);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 2000);
  }

  return (
    <div className="mt-4 rounded-card border border-line bg-surface p-2">
      <pre className="overflow-x-auto p-3 font-mono text-small" tabIndex={0}>
        <code>{code}</code>
      </pre>
      <div className="flex justify-end">
        <CustomButton
          kind="quiet"
          icon={isCopied ? <Check aria-hidden className="size-4.5" /> : <Copy aria-hidden className="size-4.5" />}
          onClick={() => void handleCopy()}
        >
          <span role="status">{isCopied ? t('page.copied') : t('page.copy')}</span>
        </CustomButton>
      </div>
    </div>
  );
}

/** Page of one of the four documented components. */
export function ComponentPage({ name, text, children, props, keys, usage }: ComponentPageProps) {
  const { t } = useTranslation('components');
  return (
    <>
      <h1 className="text-headline font-bold tracking-tight">{name}</h1>
      <p className="mt-2 max-w-2xl text-field text-muted">{text}</p>
      {children}
      <h2 className="mt-10 text-title font-bold">{t('page.props')}</h2>
      <div
        className="mt-4 overflow-x-auto rounded-card border border-line bg-surface px-5 py-2"
        tabIndex={0}
        role="region"
        aria-label={t('page.props')}
      >
        <table className="w-full min-w-lg text-left">
          <thead>
            <tr className="text-small text-muted">
              <th className="py-2.5 pr-4 font-semibold">{t('page.name')}</th>
              <th className="py-2.5 pr-4 font-semibold">{t('page.type')}</th>
              <th className="py-2.5 font-semibold">{t('page.meaning')}</th>
            </tr>
          </thead>
          <tbody>
            {props.map((prop) => (
              <tr key={prop.name}>
                <td className={`${cellClass} font-mono text-small font-semibold`}>{prop.name}</td>
                <td className={`${cellClass} font-mono text-small text-muted`}>{prop.type}</td>
                <td className={cellClass}>{prop.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="border-t border-line py-2.5 text-small text-muted">{t('page.rest')}</p>
      </div>
      <h2 className="mt-10 text-title font-bold">{t('page.keyboard')}</h2>
      <dl className="mt-4 rounded-card border border-line bg-surface px-5 py-2">
        {keys.map((key) => (
          <div key={key.text} className="flex flex-wrap gap-x-6 gap-y-1 border-line py-2.5 not-first:border-t">
            <dt className="min-w-32">
              <kbd className="rounded-chip bg-surface-2 px-2 py-1 font-mono text-small">{key.keys}</kbd>
            </dt>
            <dd>{key.text}</dd>
          </div>
        ))}
      </dl>
      <h2 className="mt-10 text-title font-bold">{t('page.usage')}</h2>
      <Usage code={usage} />
    </>
  );
}

export function StateGrid({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mt-10 text-title font-bold">{title}</h2>
      <div className="mt-4 grid gap-4 md:grid-cols-2">{children}</div>
    </section>
  );
}

export function State({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 rounded-card border border-line bg-surface p-5 shadow-card">
      <h3 className="mb-3 text-small font-semibold text-muted">{name}</h3>
      {children}
    </div>
  );
}
