/** In and out of an account. Loaded when a form is first touched: 130 KB that a visitor does not need. */
import { createAuth, type Auth } from '@dostar/client/auth';
import { createKeyKeeper } from '@dostar/client/key-keeper';
import { createOpaqueProxy } from '@dostar/client/opaque-proxy';

let auth: Auth | undefined;

export function openAuth(): Auth {
  auth ??= createAuth({
    baseUrl: location.origin,
    fetch: (input, init) => fetch(input, init),
    random: (size) => crypto.getRandomValues(new Uint8Array(size)),
    keys: createKeyKeeper({ indexedDB, IDBKeyRange }),
    opaque: createOpaqueProxy(new Worker(new URL('./opaque.worker.ts', import.meta.url), { type: 'module' })),
    // oxlint-disable-next-line no-console -- A failed step of sign-up is logged; it holds a code, never words.
    log: (event, fields) => console.warn(event, fields),
  });
  return auth;
}
