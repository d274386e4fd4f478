import { useEffect, useState } from 'react';

/** How complete the visitor's own profile is, once it has been read; without a network it stays unknown. */
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
  // Not with the first script: visitors have no profile.
  const [{ openProfileClient }, { computeStrength }] = await Promise.all([
    import('../../core/messenger/profile-client.ts'),
    import('../../core/messenger/profile-strength.ts'),
  ]);
  return computeStrength(await openProfileClient().get()).value;
}
