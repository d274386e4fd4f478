import { useEffect, useState } from 'react';

/** Completeness of the user's own profile; undefined until loaded, and when offline. */
export function useOwnStrength(account: string | undefined): number | undefined {
  const [known, setKnown] = useState<{ account: string; value: number }>();

  useEffect(() => {
    if (account === undefined) return undefined;
    let isOver = false;
    readStrength()
      .then((value) => !isOver && setKnown({ account, value }))
      .catch(() => {});
    return () => {
      isOver = true;
    };
  }, [account]);

  return known !== undefined && known.account === account ? known.value : undefined;
}

async function readStrength(): Promise<number> {
  // Not in the first bundle: visitors have no profile.
  const [{ openProfileClient }, { computeStrength }] = await Promise.all([
    import('../../core/messenger/profile-client.ts'),
    import('../../core/messenger/profile-strength.ts'),
  ]);
  return computeStrength(await openProfileClient().get()).value;
}
