/**
 * Our client with one thing left out, beside the whole one in the same process.
 *
 * Modules are loaded once more under another name, and phrases of their source are replaced on the way; a phrase that is
 * no longer there is an error, not a variant that silently is none.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Program } from '@dostar/client/testing/browser';
import { REPO_ROOT } from '../lib/engines.ts';
import type { Change } from './change.ts';

const FOLDER = join(REPO_ROOT, 'packages/client/src');
const MARK = '?without=';
const programs = new Map<string, Change[]>();

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const [, name] = context.parentURL?.split(MARK) ?? [];
    const isOwn = resolved.url.startsWith(pathToFileURL(FOLDER).href) && !resolved.url.includes(MARK);
    return name === undefined || !isOwn ? resolved : { ...resolved, url: `${resolved.url}${MARK}${name}` };
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const [file = '', name = ''] = url.split(MARK);
    const own = (programs.get(name) ?? []).filter((change) => file === fileUrl(change));
    if (own.length === 0) return loaded;
    const source = Buffer.from(loaded.source as Uint8Array).toString();
    return {
      ...loaded,
      source: own.reduce((text, { phrase, replacement }) => text.replaceAll(phrase, replacement), source),
    };
  },
});

/** `name`: one for each set of changes. Files are named from packages/client/src. */
export async function loadSabotagedClient(name: string, changes: Change[]): Promise<Program> {
  for (const { file, phrase } of changes) {
    if (!readFileSync(join(FOLDER, file), 'utf8').includes(phrase)) {
      throw new Error(`${file} does not contain: ${phrase}`);
    }
  }
  programs.set(name, changes);
  const [{ createClient }, { createKeyRing }] = await Promise.all([
    load<Pick<Program, 'createClient'>>('client.ts', name),
    load<Pick<Program, 'createKeyRing'>>('crypto/create-key-ring.ts', name),
  ]);
  return { createClient, createKeyRing };
}

async function load<T>(file: string, name: string): Promise<T> {
  return (await import(`${pathToFileURL(join(FOLDER, file)).href}${MARK}${name}`)) as T;
}

function fileUrl({ file }: Change): string {
  return pathToFileURL(join(FOLDER, file)).href;
}
