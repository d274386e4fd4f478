import type { Client, Identity } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';

/** What is known of a contact's keys; asked again whenever something about keys changes. */
export function useIdentity(client: Client, account: AccountId): Identity | undefined {
  const [identity, setIdentity] = useState<Identity>();
  useEffect(() => {
    let isOver = false;
    function ask(): void {
      client.keys.identityOf(account).then(
        (answer) => !isOver && setIdentity(answer),
        // The tab that has the keys is just opening them; it tells when it has.
        () => {},
      );
    }
    ask();
    const stop = client.keys.onChange(ask);
    return () => {
      isOver = true;
      stop();
    };
  }, [client, account]);
  return identity;
}
