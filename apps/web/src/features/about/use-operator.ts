import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { useEffect, useState } from 'react';

export interface Operator {
  name: string | null;
  contacts: string[];
  privacy: Partial<Record<string, string>>;
}

const address = '/api/operator';
/** Same check as on the server: rejects `javascript:` and other links that execute code. */
const contact = /^(?:mailto:|https:|tel:)/;

/** Undefined until the server answers. */
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
      // Offline, or aborted by unmount: the page keeps the built-in text.
    });
    return () => stop.abort();
  }, []);

  return operator;
}
