/** Every endpoint of the contract, read from its files, so that a new one cannot be forgotten. */
import { readdir } from 'node:fs/promises';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';

const FOLDER = new URL('../../../packages/protocol/src/contract/', import.meta.url);

export async function listContract(): Promise<Endpoint[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const modules = await Promise.all(
    files.map((file) => import(new URL(file, FOLDER).href) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) => Object.values(module)).filter(isEndpoint);
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'auth' in value && 'path' in value && 'reply' in value;
}
