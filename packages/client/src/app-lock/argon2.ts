/** Argon2id, in the worker that stretches PINs and passphrases. */
import { argon2id } from 'hash-wasm';
import { serveWorkerCalls, type WorkerEnd } from '../lib/worker-rpc.ts';
import type { Argon2Cost } from './wrap-key.ts';

export { ARGON2_COST } from './wrap-key.ts';

const KEY_BYTES = 32;

export async function stretchByArgon2(
  secret: string,
  salt: Uint8Array,
  { memoryKib, passes }: Argon2Cost,
): Promise<Uint8Array<ArrayBuffer>> {
  const hash = await argon2id({
    password: secret,
    salt,
    memorySize: memoryKib,
    iterations: passes,
    parallelism: 1,
    hashLength: KEY_BYTES,
    outputType: 'binary',
  });
  return new Uint8Array(hash);
}

/** The worker's side. Errors contain nothing of the secret: they mean too little memory, or no WebAssembly. */
export function serveStretch(page: WorkerEnd): void {
  serveWorkerCalls(page, { stretch: stretchByArgon2 }, String);
}
