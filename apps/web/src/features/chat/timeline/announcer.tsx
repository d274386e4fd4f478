import { useEffect, useRef, useState } from 'react';

/** Announces a burst of messages only once. */
const QUIET_MS = 1500;

/** Live region that announces new messages of the open chat to screen readers, one at a time. */
export function Announcer({ latest }: { latest: { id: string; words: string } | undefined }) {
  const [words, setWords] = useState('');
  const seen = useRef(latest?.id);
  useEffect(() => {
    if (latest === undefined || latest.id === seen.current) return;
    const isFirst = seen.current === undefined;
    seen.current = latest.id;
    if (isFirst) return;
    const timer = setTimeout(() => setWords(latest.words), QUIET_MS);
    return () => clearTimeout(timer);
  }, [latest]);
  return (
    <p aria-live="polite" className="sr-only">
      {words}
    </p>
  );
}
