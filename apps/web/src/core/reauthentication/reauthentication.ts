// Before something serious the server asks once more who this is. One dialog, in the root, answers for every feature.
import { codeOf } from '../lib/failure.ts';
import { createStore, useStore } from '../lib/store.ts';

interface Asked {
  answer: (isProven: boolean) => void;
}

const store = createStore<Asked | undefined>(undefined);

/** What waits for the dialog. */
export function useAskedProof(): Asked | undefined {
  return useStore(store, undefined);
}

async function askProof(): Promise<boolean> {
  store.read()?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  store.write({ answer: resolve });
  const isProven = await promise;
  store.write(undefined);
  return isProven;
}

/**
 * Does something the server wants a fresh proof for, and does it again once the person has given it. If they close the
 * dialog instead, the failure is `reauthenticate`, which needs no words: they know what they did.
 */
export async function withProof<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) !== 'reauthenticate' || !(await askProof())) throw error;
    return act();
  }
}
