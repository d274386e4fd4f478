/** Lists all calls of the contract by reading its folder, so that a new file cannot be forgotten. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import { ClientFrame } from '@dostar/protocol/realtime';
import type { z } from 'zod';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

const FOLDER = join(REPO_ROOT, 'packages/protocol/src/contract');

export interface NamedEndpoint {
  name: string;
  /** Routes that carry raw bytes have no body schema. */
  endpoint: Pick<Endpoint, 'method' | 'path' | 'auth'> & { body?: Endpoint['body'] };
}

export async function listEndpoints(): Promise<NamedEndpoint[]> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .toSorted();
  const found: NamedEndpoint[] = [];
  for (const file of files) {
    const exported = (await import(join(FOLDER, file))) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (isEndpoint(value) && !found.some(({ endpoint }) => endpoint === value)) found.push({ name, endpoint: value });
    }
  }
  return found;
}

function isEndpoint(value: unknown): value is NamedEndpoint['endpoint'] {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'auth' in value;
}

export interface NamedFrame {
  name: ClientFrame['t'];
  schema: z.ZodType;
}

export function listFrames(): NamedFrame[] {
  return ClientFrame.options.map((schema) => ({ name: schema.shape.t.value, schema }));
}
