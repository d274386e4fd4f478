/** Reads names of endpoints and schemas and the comments above endpoints, which the types do not contain. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import { z } from 'zod';

const PROTOCOL = new URL('../../../../packages/protocol/src/', import.meta.url);
const COMMENTED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export const (\w+) = endpoint\(/g;

interface NamedEndpoint {
  name: string;
  /** The contract file that defines it. */
  group: string;
  description: string | undefined;
}

export interface Contracts {
  endpoints: Map<Endpoint, NamedEndpoint>;
  schemas: Record<string, z.ZodType>;
}

export async function readContracts(): Promise<Contracts> {
  const files = readdirSync(new URL('contract', PROTOCOL)).map((file) => `contract/${file}`);
  const endpoints: Contracts['endpoints'] = new Map();
  const schemas: Contracts['schemas'] = {};
  for (const file of [...files, 'ids.ts', 'mailbox.ts', 'matrix-ids.ts'].toSorted()) {
    const url = new URL(file, PROTOCOL);
    const comments = readComments(readFileSync(url, 'utf8'));
    const group = file.replace(/^contract\/|\.ts$/g, '');
    for (const [name, value] of Object.entries((await import(url.href)) as Record<string, unknown>)) {
      if (value instanceof z.ZodType) schemas[name] = value;
      if (isEndpoint(value)) endpoints.set(value, { name, group, description: comments.get(name) });
    }
  }
  return { endpoints, schemas };
}

function readComments(source: string): Map<string, string> {
  return new Map(
    [...source.matchAll(COMMENTED)].map(([, comment = '', name = '']) => [
      name,
      comment
        .replaceAll(/^\s*\*\s?/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ]),
  );
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'reply' in value && 'path' in value;
}
