import { Check, TriangleAlert } from 'lucide-react';

interface PromiseListProps {
  kind: 'protects' | 'limits';
  sentences: readonly string[];
}

/** What holds and what does not look alike: neither is small print. */
export function PromiseList({ kind, sentences }: PromiseListProps) {
  const Icon = kind === 'protects' ? Check : TriangleAlert;
  return (
    <ul className="mt-4 space-y-3">
      {sentences.map((sentence) => (
        <li key={sentence} className="flex gap-3">
          <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${kind === 'protects' ? 'text-ok' : 'text-danger'}`} />
          <span>{sentence}</span>
        </li>
      ))}
    </ul>
  );
}
