// The server requires re-authentication before sensitive actions. One dialog in the root serves every feature.
import { codeOf } from '../lib/failure.ts';
import { createStore, useStore } from '../lib/store.ts';

interface ReauthenticationRequest {
  answer: (isReauthenticated: boolean) => void;
}

const store = createStore<ReauthenticationRequest | undefined>(undefined);

/** The request that waits for the dialog. */
export function useReauthenticationRequest(): ReauthenticationRequest | undefined {
  return useStore(store, undefined);
}

async function requestReauthentication(): Promise<boolean> {
  store.read()?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  store.write({ answer: resolve });
  const isReauthenticated = await promise;
  store.write(undefined);
  return isReauthenticated;
}

/**
 * Runs `act`. If the server requires re-authentication, asks the person and runs it again. If they close the dialog
 * instead, throws `reauthenticate`, which needs no error message: the person knows that they closed it.
 */
export async function withReauthentication<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) !== 'reauthenticate' || !(await requestReauthentication())) throw error;
    return act();
  }
}
