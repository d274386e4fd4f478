import type { ReactNode } from 'react';

interface MatchedTextProps {
  text: string;
  /** The positions of the matches, each with its start and end. */
  matches: readonly (readonly [number, number])[];
}

export function MatchedText({ text, matches }: MatchedTextProps) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const [start, end] of matches.toSorted(([one], [other]) => one - other)) {
    if (start < from) continue;
    parts.push(
      text.slice(from, start),
      <mark key={start} className="rounded-[3px] bg-sun-soft text-text">
        {text.slice(start, end)}
      </mark>,
    );
    from = end;
  }
  return [...parts, text.slice(from)];
}
