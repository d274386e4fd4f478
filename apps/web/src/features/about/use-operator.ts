import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { useEffect, useState } from 'react';

export interface Operator {
  name: string | null;
  contacts: string[];
  privacy: Partial<Record<string, string>>;
}

const address = '/api/operator';
/** What the server checks too: a link must not run. */
const contact = /^(?:mailto:|https:|tel:)/;

/** Undefined until the server has answered. */
export function useOperator(): Operator | undefined {
  const [operator, setOperator] = useState<Operator>();

  useEffect(() => {
    const stop = new AbortController();
    async function ask(): Promise<void> {
      const reply = await fetch(address, { headers: { [CALL_HEADER]: ANY_ACCOUNT }, signal: stop.signal });
      if (!reply.ok) return;
      const { name, contacts, privacy } = (await reply.json()) as Operator;
      setOperator({ name, contacts: contacts.filter((each) => contact.test(each)), privacy });
    }
    ask().catch(() => {
      // Offline, or gone from the page: the text of the program stays.
    });
    return () => stop.abort();
  }, []);

  return operator;
}
