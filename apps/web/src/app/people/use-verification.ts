import type { Client, Verification } from '@dostar/client';
import { useEffect, useState } from 'react';

export function isOver({ phase }: Verification): boolean {
  return phase === 'done' || phase === 'cancelled';
}

/** The one to be shown: the first that began, through to its end, until it is dismissed. */
export function useVerification(client: Client | undefined): {
  shown: Verification | undefined;
  dismiss: (id: string) => void;
} {
  const [all, setAll] = useState<readonly Verification[]>([]);
  const [followed, setFollowed] = useState<string>();
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());

  useEffect(() => {
    if (client === undefined) return undefined;
    const { keys } = client;
    let isLeft = false;
    function ask(): void {
      keys.listVerifications().then(
        (answer) => !isLeft && setAll(answer),
        // The tab that has the keys is just opening them; it tells when it has.
        () => {},
      );
    }
    ask();
    const stop = keys.onChange(ask);
    return () => {
      isLeft = true;
      stop();
    };
  }, [client]);

  const known = all.find(({ id }) => id === followed && !dismissed.has(id));
  const begun = all.find((one) => !isOver(one) && !dismissed.has(one.id));
  const shown = known ?? begun;
  if (shown !== undefined && shown.id !== followed) setFollowed(shown.id);
  return { shown, dismiss: (id) => setDismissed((before) => new Set([...before, id])) };
}
