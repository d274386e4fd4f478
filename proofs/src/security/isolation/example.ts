/**
 * A value that a schema accepts. A call with it can only be refused because of its caller: a 400 would say nothing
 * about authorization.
 */
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { z } from 'zod';

/** The parts of a zod schema that are read; they have the same names in every kind of schema. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  in?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, unknown>;
  values?: unknown[];
}

export function makeExample(schema: z.ZodType, name: string): unknown {
  const example = build(schema);
  const parsed = schema.safeParse(example);
  if (!parsed.success)
    throw new Error(`no example for ${name}: ${JSON.stringify(example)} is refused, ${parsed.error.message}`);
  return example;
}

function build(schema: z.ZodType): unknown {
  const definition = schema.def as unknown as Definition;
  switch (definition.type) {
    case 'object':
      return Object.fromEntries(Object.entries(definition.shape ?? {}).map(([name, part]) => [name, build(part)]));
    case 'array':
      return [build(definition.element!)];
    case 'record':
      return { [String(build(definition.keyType!))]: build(definition.valueType!) };
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
      return build(definition.innerType!);
    case 'pipe':
      return choose(schema) ?? build(definition.in!);
    case 'union':
      return build(definition.options![0]!);
    case 'enum':
      return Object.values(definition.entries!)[0];
    case 'literal':
      return definition.values![0];
    case 'undefined':
      return undefined;
    case 'null':
      return null;
    case 'unknown':
    case 'any':
      return {};
    default:
      return choose(schema) ?? fail(`no example for a ${definition.type}: write one in bodies.ts`);
  }
}

function fail(reason: string): never {
  throw new Error(reason);
}

/** The first of some plausible values that the schema takes. */
function choose(schema: z.ZodType): unknown {
  const id = randomUUID();
  const candidates: unknown[] = [
    id,
    `someone-${id.slice(0, 8)}@example.org`,
    new Date(0).toISOString(),
    'https://example.org/push',
    '123456',
    '/page',
    'name',
    `name${id.slice(0, 4)}`,
    'eHg',
    '1',
    '1.1',
    `@${id}:dostar`,
    `!${id}:dostar`,
    'signed_curve25519:AAAAAQ',
    'm.room_key',
    1,
    0,
    true,
  ];
  const isTaken = (candidate: unknown): boolean => schema.safeParse(candidate).success;
  return candidates.find(isTaken) ?? sampleMatches(schema).find(isTaken);
}

interface Demand {
  pattern?: RegExp;
  length?: number;
  minimum?: number;
}

const sampled = new WeakMap<z.ZodType, string[]>();

/** Strings for a schema with a length or a pattern. Cached: generating one takes milliseconds. */
function sampleMatches(schema: z.ZodType): string[] {
  const known = sampled.get(schema) ?? makeMatches(schema);
  sampled.set(schema, known);
  return known;
}

function makeMatches(schema: z.ZodType): string[] {
  const demands = (schema.def.checks ?? []).map((check) => check._zod.def as Demand);
  return demands.flatMap(({ pattern, length, minimum }) => {
    const size = length ?? minimum;
    if (size !== undefined) return ['A'.repeat(size), 'A'.repeat(size + 1)];
    return pattern ? fc.sample(fc.stringMatching(pattern), { numRuns: 20, seed: 1 }) : [];
  });
}
