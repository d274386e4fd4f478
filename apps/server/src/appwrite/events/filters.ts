/** Queries of a subscription: the part of the query language that can be evaluated on one event. */
import { z } from 'zod';
import { parseBigJson } from '../../platform/http/bigint-json.ts';

export type Filter = (payload: Record<string, unknown>) => boolean;

const MAX_QUERIES = 100;
const MAX_LENGTH = 4096;
const MAX_DEPTH = 5;

const Query = z.object({
  method: z.string(),
  attribute: z.string().optional(),
  values: z.array(z.unknown()).max(500).default([]),
});

/** Scalars only, so that a short text can't build many nested objects. */
const Plain = z.array(z.union([z.string(), z.number(), z.bigint(), z.boolean(), z.null()]));
type Plain = z.output<typeof Plain>;

type Comparison = (found: string | number | bigint, wanted: string | number | bigint) => boolean;
const COMPARISONS: Record<string, Comparison> = {
  lessThan: (found, wanted) => found < wanted,
  lessThanEqual: (found, wanted) => found <= wanted,
  greaterThan: (found, wanted) => found > wanted,
  greaterThanEqual: (found, wanted) => found >= wanted,
};

/** Undefined if one of the texts is not a query. */
export function readFilters(texts: readonly string[]): Filter[] | undefined {
  if (texts.length > MAX_QUERIES) return undefined;
  const read = texts.map((text) => {
    try {
      return text.length > MAX_LENGTH ? undefined : readFilter(parseBigJson(text), 0);
    } catch {
      return undefined;
    }
  });
  return read.every((filter) => filter !== undefined) ? read : undefined;
}

function readFilter(given: unknown, depth: number): Filter | undefined {
  const { data: query } = Query.safeParse(given);
  if (!query || depth > MAX_DEPTH) return undefined;
  const { method, attribute = '', values } = query;
  if (method === 'and' || method === 'or') {
    const filters = values.map((value) => readFilter(value, depth + 1));
    return filters.every((filter) => filter !== undefined) ? joinFilters(method, filters) : undefined;
  }
  const { data: plain } = Plain.safeParse(values);
  return plain && readCondition(method, attribute, plain);
}

function joinFilters(method: 'and' | 'or', filters: Filter[]): Filter | undefined {
  if (filters.length < 2) return undefined;
  return (payload) =>
    method === 'and' ? filters.every((filter) => filter(payload)) : filters.some((filter) => filter(payload));
}

function readCondition(method: string, attribute: string, values: Plain): Filter | undefined {
  const isSame = (found: unknown): boolean => values.some((value) => value === found);
  switch (method) {
    case 'select':
      return values.length === 1 && values[0] === '*' ? () => true : undefined;
    case 'isNull':
      return (payload) => (payload[attribute] ?? null) === null;
    case 'isNotNull':
      return (payload) => (payload[attribute] ?? null) !== null;
    case 'equal':
      return values.length > 0 ? (payload) => isSame(payload[attribute]) : undefined;
    case 'notEqual':
      return values.length === 1 ? (payload) => !isSame(payload[attribute]) : undefined;
    default:
      return readComparison(COMPARISONS[method], attribute, values);
  }
}

function readComparison(compare: Comparison | undefined, attribute: string, values: Plain): Filter | undefined {
  const [wanted] = values;
  if (!compare || values.length !== 1 || !isOrdered(wanted)) return undefined;
  return (payload) => {
    const found = payload[attribute];
    const isText = typeof found === 'string';
    return isOrdered(found) && isText === (typeof wanted === 'string') && compare(found, wanted);
  };
}

function isOrdered(value: unknown): value is string | number | bigint {
  return ['string', 'number', 'bigint'].includes(typeof value);
}
