import type { Client } from '@dostar/client';
import { useEffect, useState } from 'react';

type Keys = Client['keys'];

/** The result of `query`, repeated whenever the keys change. Pass a module-level function, not one made in a render. */
export function useKeysQuery<T>(client: Client | undefined, query: (keys: Keys) => Promise<T>, initial: T): T {
  const [answer, setAnswer] = useState(initial);

  useEffect(() => {
    if (client === undefined) return undefined;
    const { keys } = client;
    let isLeft = false;
    function refresh(): void {
      query(keys).then(
        (found) => !isLeft && setAnswer(found),
        // The leading tab is still opening the keys, and reports when it has.
        () => {},
      );
    }
    refresh();
    const stop = keys.onChange(refresh);
    return () => {
      isLeft = true;
      stop();
    };
  }, [client, query]);

  return answer;
}
