import type { Client } from '@dostar/client';
import { useEffect, useState } from 'react';

type Keys = Client['keys'];

/** What `ask` answers, asked again whenever the keys change. `ask` is a function of the module, not of the component. */
export function useKeyAnswer<T>(client: Client | undefined, ask: (keys: Keys) => Promise<T>, initial: T): T {
  const [answer, setAnswer] = useState(initial);

  useEffect(() => {
    if (client === undefined) return undefined;
    const { keys } = client;
    let isLeft = false;
    function look(): void {
      ask(keys).then(
        (found) => !isLeft && setAnswer(found),
        // The tab that has the keys is just opening them; it tells when it has.
        () => {},
      );
    }
    look();
    const stop = keys.onChange(look);
    return () => {
      isLeft = true;
      stop();
    };
  }, [client, ask]);

  return answer;
}
