import { Check, TriangleAlert } from 'lucide-react';

interface PromiseListProps {
  kind: 'protects' | 'limits';
  sentences: readonly string[];
}

/** Lists what is protected, or what is not, in the same text size. */
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
