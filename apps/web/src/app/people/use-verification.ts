import type { Client, Verification } from '@dostar/client';
import { useState } from 'react';
import { useKeysQuery } from '../use-keys-query.ts';

const none: readonly Verification[] = [];

function listVerifications(keys: Client['keys']): Promise<readonly Verification[]> {
  return keys.listVerifications();
}

export function isOver({ phase }: Verification): boolean {
  return phase === 'done' || phase === 'cancelled';
}

/** The verification to show: the first that began, until it ends and is dismissed. */
export function useVerification(client: Client | undefined): {
  shown: Verification | undefined;
  dismiss: (id: string) => void;
} {
  const all = useKeysQuery(client, listVerifications, none);
  const [followed, setFollowed] = useState<string>();
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());

  const known = all.find(({ id }) => id === followed && !dismissed.has(id));
  const begun = all.find((one) => !isOver(one) && !dismissed.has(one.id));
  const shown = known ?? begun;
  if (shown !== undefined && shown.id !== followed) setFollowed(shown.id);
  return { shown, dismiss: (id) => setDismissed((before) => new Set([...before, id])) };
}
