/** Parts that both OpenAPI documents share. */
import type { RateLimit } from '../../src/platform/concurrency/rate-limits.ts';
import type { Json } from './json-schemas.ts';

export const OPENAPI_VERSION = '3.1.1';

/** Groups of routes that are not calls of a contract. */
export const PLACES = { call: '', page: 'google', upload: 'blobs', download: 'blobs', picture: 'profile' } as const;

export function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

export function header(name: string, rest: Json): Json {
  return { name, in: 'header', ...(rest['schema'] === undefined && { schema: { type: 'string' } }), ...rest };
}

/** `per`: the caller or address by which calls are counted. */
export function describeLimit({ points, perSeconds, scope }: RateLimit, per: string): Json {
  return {
    requests: points,
    seconds: perSeconds,
    per,
    countedBy: scope === 'shared' ? 'all processes' : 'one process',
  };
}

/** One response for each status, which names its codes. */
export function groupByStatus<Code extends string>(
  codes: readonly Code[],
  statusOf: (code: Code) => number,
): Record<string, Json> {
  const groups = Map.groupBy(codes.toSorted(), statusOf);
  return Object.fromEntries(
    [...groups].map(([status, some]) => [
      status,
      {
        description: some.map((code) => `\`${code}\``).join(', '),
        content: json({ $ref: '#/components/schemas/Failure' }),
      },
    ]),
  );
}
