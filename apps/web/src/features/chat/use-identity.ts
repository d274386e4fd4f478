import type { Client, Identity } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { useEffect, useState } from 'react';

/** Trust state of a contact's keys, updated when keys change. */
export function useIdentity(client: Client, account: AccountId): Identity | undefined {
  const [identity, setIdentity] = useState<Identity>();
  useEffect(() => {
    let isOver = false;
    function ask(): void {
      client.keys.identityOf(account).then(
        (answer) => !isOver && setIdentity(answer),
        // The tab that holds the keys has not opened them yet; `onChange` fires when it has.
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
