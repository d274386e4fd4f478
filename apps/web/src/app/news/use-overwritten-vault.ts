import type { Client } from '@dostar/client';
import { useEffect, useState } from 'react';

/** Whether somebody without the account key has overwritten the data that this account's browsers share. */
export function useOverwrittenVault(client: Client | undefined): boolean {
  const [isOverwritten, setIsOverwritten] = useState(false);

  useEffect(() => {
    if (client === undefined) return undefined;
    const { keys } = client;
    let isLeft = false;
    function ask(): void {
      keys.isVaultOverwritten().then(
        (answer) => !isLeft && setIsOverwritten(answer),
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

  return isOverwritten;
}
