import type { Client } from '@dostar/client';
import { useEffect, useState } from 'react';

type Keys = Client['keys'];

/** What `query` answers, asked again whenever the keys change. `query` is a function of the module, not of the component. */
export function useKeysQuery<T>(client: Client | undefined, query: (keys: Keys) => Promise<T>, initial: T): T {
  const [answer, setAnswer] = useState(initial);

  useEffect(() => {
    if (client === undefined) return undefined;
    const { keys } = client;
    let isLeft = false;
    function refresh(): void {
      query(keys).then(
        (found) => !isLeft && setAnswer(found),
        // The tab that has the keys is just opening them; it tells when it has.
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
