/**
 * Replaces SECRET_KEY in three steps, with a restart of every process after each.
 *
 * One step would not do: a process with the new key encrypts what a process without it can't decrypt. So all processes
 * first know the new key (`begin`), then encrypt with it (`use`), and the old key is removed once nothing needs it
 * (`finish`).
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import { findLastSuccess } from '../features/operations/audit-log/service.ts';
import { resealFactors } from '../features/identity/second-factors/service.ts';
import { readSecretFile, replaceSecretFile } from './secret-file.ts';

const KEY_BYTES = 32;
/**
 * Jobs are stored this long. `finish` encrypts second factors under the new key. What lives longer ends with the old key:
 * picture URLs (two weeks, browsers request new ones), cookies of known browsers and tokens of `/v1` files (a year).
 */
const OLD_KEY_RETENTION_MS = 7 * 24 * 3_600_000;

export function createKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** `name`: the secret in the command that comes next. */
export async function beginKey(path: string, name: string, fresh: string): Promise<string> {
  const keys = await readKeys(path);
  if (keys.length > 1)
    throw new Error(`a rotation is under way: ${keys.map(idOf).join(' and ')} are there; finish it first`);
  await writeKeys(path, [...keys, fresh]);
  const id = idOf(fresh);
  return `key ${id} is known; copy ${path} to every machine, restart every process, then: rotate ${name} use ${id}`;
}

/** Moves the key to the front of the file, where it encrypts. */
export async function setPrimaryKey(path: string, id: string): Promise<void> {
  const keys = await readKeys(path);
  const wanted = requireKey(keys, id);
  await writeKeys(path, [wanted, ...keys.filter((key) => key !== wanted)]);
}

export async function useKey(path: string, id: string): Promise<string> {
  await setPrimaryKey(path, id);
  return `key ${id} encrypts; copy ${path} to every machine, restart every process, and in a week: rotate secret-key finish ${id}`;
}

/** `isForced`: does not wait for the week, so queued jobs that were encrypted with the old key are lost. */
export async function finishKey(ctx: Context, path: string, id: string, isForced: boolean): Promise<string> {
  const wanted = await requirePrimaryKey(path, 'secret-key', id);
  const usedAt = await findLastSuccess(ctx, `rotate secret-key use ${id}`);
  const readyAt = (usedAt ?? ctx.clock.now()) + OLD_KEY_RETENTION_MS;
  if (!isForced && readyAt > ctx.clock.now()) {
    throw new Error(
      `jobs that the old key encrypted may be queued until ${new Date(readyAt).toISOString()}: wait, or add the word "now"`,
    );
  }
  const factors = await resealFactors(ctx);
  await writeKeys(path, [wanted]);
  return `${factors} second factors encrypted again; key ${id} is the only one; copy ${path} to every machine and restart every process`;
}

/** Throws unless the key of that id is the one in use. */
export async function requirePrimaryKey(path: string, name: string, id: string): Promise<string> {
  const keys = await readKeys(path);
  const wanted = requireKey(keys, id);
  if (keys[0] !== wanted) throw new Error(`key ${id} is not in use yet: rotate ${name} use ${id}`);
  return wanted;
}

async function readKeys(path: string): Promise<string[]> {
  return (await readSecretFile(path)).split(/[\s,]+/);
}

export async function writeKeys(path: string, keys: string[]): Promise<void> {
  await replaceSecretFile(path, keys.join('\n'));
}

function requireKey(keys: string[], id: string): string {
  const key = keys.find((each) => idOf(each) === id);
  if (key === undefined) throw new Error(`there is no key ${id}, only ${keys.map(idOf).join(' and ')}`);
  return key;
}

/** Identifies a key without revealing any of it. */
function idOf(key: string): string {
  return createHash('sha256').update(`key id ${key}`).digest('hex').slice(0, 8);
}
