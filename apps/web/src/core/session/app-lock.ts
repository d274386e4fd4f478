/** The app lock of this browser. Loaded only if a lock is set or being set. */
import { type AppLock, createAppLock, type LockSecret } from '@dostar/client/app-lock';
import { createWorkerCall } from '@dostar/client/worker-rpc';

let known: AppLock | undefined;

export function openAppLock(): AppLock {
  known ??= createAppLock({ indexedDB, IDBKeyRange, stretch });
  return known;
}

/** Each attempt gets a new worker, because Argon2id leaves secrets in the worker's memory. */
async function stretch(...args: unknown[]): Promise<never> {
  const worker = new Worker(new URL('./stretch.worker.ts', import.meta.url), { type: 'module' });
  const failed = Promise.withResolvers<never>();
  worker.addEventListener('error', () => failed.reject(new Error('no worker for Argon2id')));
  try {
    return await Promise.race([createWorkerCall(worker)('stretch', ...args), failed.promise]);
  } finally {
    worker.terminate();
  }
}

type PasskeySecret = Extract<LockSecret, { method: 'passkey' }>;

const challengeBytes = 32;
const askMs = 120_000;

/**
 * Asks the passkey for its derived secret, without a network: no server checks the response, so any challenge will do.
 * Undefined if the person closed the browser's dialog; `unfit` if the passkey derives nothing.
 */
export async function requestPasskeySecret(
  rpId: string,
  credentials: readonly string[],
): Promise<PasskeySecret | 'unfit' | undefined> {
  const [{ browserAuthenticator }, { toBase64Url }] = await Promise.all([
    import('./authenticator.ts'),
    import('@dostar/client/app-lock'),
  ]);
  const got = await browserAuthenticator.get({
    challenge: toBase64Url(crypto.getRandomValues(new Uint8Array(challengeBytes))),
    rpId,
    timeout: askMs,
    userVerification: 'required',
    allowCredentials: credentials.map((id) => ({ id, type: 'public-key' as const })),
  });
  if (got === undefined) return undefined;
  if (got.derived === undefined) return 'unfit';
  return { method: 'passkey', derived: got.derived, passkey: { credential: got.response.id, rpId } };
}
