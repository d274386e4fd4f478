/**
 * The client with phrases of its source replaced, loaded beside the real one in the same process.
 *
 * The changes are in the query of each module's URL, and a loader applies them: `vite-plugin.ts` in Vitest, module hooks
 * in the proofs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { createClient } from '@dostar/client';
import type { createKeyRing } from '@dostar/client/key-ring';
import { type Change, replacePhrases } from './change.ts';

/** The client with which a test starts browsers: the real one or a sabotaged one. */
export interface Program {
  createClient: typeof createClient;
  createKeyRing: typeof createKeyRing;
}

const FOLDER = join(import.meta.dirname, '../../src');
const PLACE = '/packages/client/src/';
const QUERY = '?sabotage=';

/** Throws if a phrase is not in its file. */
export async function loadSabotagedClient(changes: readonly Change[]): Promise<Program> {
  for (const change of changes) replacePhrases(readFileSync(join(FOLDER, change.file), 'utf8'), [change]);
  const query = QUERY + Buffer.from(JSON.stringify(changes)).toString('base64url');
  const [{ createClient }, { createKeyRing }] = await Promise.all([
    load<Pick<Program, 'createClient'>>(`client.ts${query}`),
    load<Pick<Program, 'createKeyRing'>>(`crypto/create-key-ring.ts${query}`),
  ]);
  return { createClient, createKeyRing };
}

async function load<T>(file: string): Promise<T> {
  return (await import(/* @vite-ignore */ join(FOLDER, file))) as T;
}

/** For a loader: the URL of the module `name` as imported by the module `importer`. */
export function nameModule(name: string, importer: string): string {
  const [, changes] = importer.split(QUERY);
  const isInherited = changes !== undefined && name.includes(PLACE) && !isSabotaged(name);
  return isInherited ? name + QUERY + changes : name;
}

export function isSabotaged(name: string): boolean {
  return name.includes(QUERY);
}

/** For a loader: the source of the module `name`, with its phrases replaced. */
export function sabotageModule(name: string, source: string): string {
  const [path = '', encoded = ''] = name.split(QUERY);
  const changes = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as Change[];
  return replacePhrases(
    source,
    changes.filter(({ file }) => path.endsWith(PLACE + file)),
  );
}
