/** The query language of `/v1`: parses JSON and checks it against the attributes. No SQL here. */
import { z } from 'zod';
import { parseBigJson } from '../platform/http/bigint-json.ts';
import { AppwriteError } from './errors.ts';
import { parseTime, writeTime } from './time.ts';
import type { AppwriteErrorType } from './errors.ts';

export type Scalar = string | number | bigint | boolean;

export interface Field {
  type: 'text' | 'number' | 'boolean' | 'time';
  isArray: boolean;
}

type FilterMethod =
  | (typeof COMPARISONS)[number]
  | (typeof UNARY)[number]
  | (typeof TEXTUAL)[number]
  | (typeof SETS)[number];

export interface Condition {
  method: FilterMethod;
  attribute: string;
  values: Scalar[];
}

interface Junction {
  method: 'and' | 'or';
  filters: Filter[];
}

export type Filter = Condition | Junction;

export interface Order {
  attribute: string;
  isDescending: boolean;
}

export interface ParsedQueries {
  filters: Filter[];
  orders: Order[];
  limit: number;
  offset: number;
  cursor: { id: string; isBefore: boolean } | undefined;
  /** Undefined: everything. */
  select: string[] | undefined;
}

export interface QuerySchema {
  fields: ReadonlyMap<string, Field>;
  /** The error for a bad query differs by list. */
  errorType: AppwriteErrorType;
}

const MAX_QUERIES = 100;
const MAX_LENGTH = 4096;
const MAX_VALUES = 500;
/** For all queries together: each is searched in every text, however long. */
const MAX_TEXTUAL = 100;
const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 5000;

const COMPARISONS = [
  'equal',
  'notEqual',
  'lessThan',
  'lessThanEqual',
  'greaterThan',
  'greaterThanEqual',
  'between',
  'notBetween',
] as const;
const UNARY = ['isNull', 'isNotNull'] as const;
const TEXTUAL = ['startsWith', 'endsWith', 'notStartsWith', 'notEndsWith', 'search', 'notSearch'] as const;
const SETS = ['contains', 'containsAny', 'containsAll', 'notContains'] as const;
const MANY: readonly string[] = ['equal', ...SETS];
const PAIRS: readonly string[] = ['between', 'notBetween'];

const Text = z.object({
  method: z.string(),
  attribute: z.string().optional(),
  values: z.array(z.unknown()).max(MAX_VALUES).default([]),
});
type Text = z.output<typeof Text>;

export function readQueries(texts: readonly string[], schema: QuerySchema): ParsedQueries {
  if (texts.length > MAX_QUERIES)
    throw new AppwriteError('general_argument_invalid', 'Invalid `queries` param: too many');
  const read: ParsedQueries = {
    filters: [],
    orders: [],
    limit: DEFAULT_LIMIT,
    offset: 0,
    cursor: undefined,
    select: undefined,
  };
  const fail = (why: string): never => {
    throw new AppwriteError(schema.errorType, `Invalid query: ${why}`);
  };
  for (const text of texts) {
    const query = parseText(text) ?? fail('Syntax error');
    apply(read, query, schema, fail);
  }
  requireCheap(read.filters, schema, fail);
  return read;
}

/** The limits of one query also apply to all queries together. */
function requireCheap(filters: readonly Filter[], { fields }: QuerySchema, fail: Fail): void {
  const conditions = listConditions(filters);
  const textual = conditions.filter(({ method, attribute }) => isTextSearch(method) && !fields.get(attribute)?.isArray);
  if (countValues(conditions) > MAX_VALUES || countValues(textual) > MAX_TEXTUAL) fail('too many values');
}

function listConditions(filters: readonly Filter[]): Condition[] {
  return filters.flatMap((filter) => ('filters' in filter ? listConditions(filter.filters) : [filter]));
}

/** A condition without values costs a comparison too. */
function countValues(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, { values }) => sum + Math.max(1, values.length), 0);
}

function isTextSearch(method: FilterMethod): boolean {
  return [...TEXTUAL, ...SETS].some((known) => known === method);
}

function parseText(text: string): Text | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return Text.safeParse(parseBigJson(text)).data;
  } catch {
    return undefined;
  }
}

type Fail = (why: string) => never;

function apply(read: ParsedQueries, query: Text, schema: QuerySchema, fail: Fail): void {
  const [value] = query.values;
  switch (query.method) {
    case 'limit':
      if (!isWhole(value, 1, MAX_LIMIT)) fail('Limit must be a number between 1 and 5000');
      read.limit = value as number;
      return;
    case 'offset':
      if (!isWhole(value, 0, Number.MAX_SAFE_INTEGER)) fail('Offset must be a positive number');
      read.offset = value as number;
      return;
    case 'orderAsc':
    case 'orderDesc':
      read.orders.push(readOrder(query, schema, fail));
      return;
    case 'cursorAfter':
    case 'cursorBefore':
      if (typeof value !== 'string' || read.cursor) fail('Cursor must be one id');
      read.cursor = { id: value, isBefore: query.method === 'cursorBefore' };
      return;
    case 'select':
      read.select = readSelect(query.values, schema, fail);
      return;
    default:
      read.filters.push(readFilter(query, schema, fail));
  }
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
}

function readOrder({ method, attribute = '' }: Text, { fields }: QuerySchema, fail: Fail): Order {
  const isDescending = method === 'orderDesc';
  // An empty name means the order of creation.
  if (attribute === '') return { attribute: '$sequence', isDescending };
  if (!fields.has(attribute) || fields.get(attribute)?.isArray) fail(`Cannot order by "${attribute}"`);
  return { attribute, isDescending };
}

function readSelect(values: unknown[], { fields }: QuerySchema, fail: Fail): string[] | undefined {
  const names = values.filter((value) => typeof value === 'string');
  const isGood = names.length > 0 && names.length === values.length && new Set(names).size === names.length;
  if (!isGood) fail('Select needs names, each once');
  const unknown = names.find((name) => name !== '*' && !name.startsWith('$') && !fields.has(name));
  if (unknown !== undefined) fail(`Attribute not found in schema: ${unknown}`);
  return names.includes('*') ? undefined : names;
}

function readFilter(query: Text, schema: QuerySchema, fail: Fail): Filter {
  const { method } = query;
  if (method === 'and' || method === 'or') {
    const filters = query.values.map((value) =>
      readFilter(Text.safeParse(value).data ?? fail('Syntax error'), schema, fail),
    );
    if (filters.length < 2) fail(`${method} needs at least two queries`);
    return { method, filters };
  }
  const attribute = query.attribute ?? '';
  const field = schema.fields.get(attribute) ?? fail(`Attribute not found in schema: ${attribute}`);
  if (!isFilterMethod(method)) fail(`Unknown method: ${method}`);
  const known = method;
  requireSupported(known, field, fail);
  requireCount(known, query.values.length, fail);
  return { method: known, attribute, values: query.values.map((value) => readValue(value, field, fail)) };
}

function isFilterMethod(method: string): method is FilterMethod {
  return [...COMPARISONS, ...UNARY, ...TEXTUAL, ...SETS].some((known) => known === method);
}

function requireSupported(method: FilterMethod, field: Field, fail: Fail): void {
  const isComparison = COMPARISONS.some((known) => known === method);
  const isTextual = TEXTUAL.some((known) => known === method);
  const isSet = SETS.some((known) => known === method);
  if (isComparison && field.isArray) fail(`Cannot query ${method} on an array`);
  if (isTextual && (field.isArray || field.type !== 'text')) fail(`Cannot query ${method} on what is not text`);
  if (isSet && !field.isArray && field.type !== 'text')
    fail(`Cannot query ${method} on what is neither text nor array`);
}

function requireCount(method: FilterMethod, count: number, fail: Fail): void {
  const isUnary = UNARY.some((known) => known === method);
  const least = isUnary ? 0 : PAIRS.includes(method) ? 2 : 1;
  const most = MANY.includes(method) ? MAX_VALUES : least;
  if (count < least || count > most) fail(`${method} takes another number of values`);
}

function readValue(value: unknown, { type }: Field, fail: Fail): Scalar {
  const isRight = {
    text: typeof value === 'string',
    number: typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value)),
    boolean: typeof value === 'boolean',
    time: typeof value === 'string',
  }[type];
  if (!isRight) fail('a value of another type');
  return type === 'time' ? writeTime(parseTime(value as string) ?? fail('a value that is no time')) : (value as Scalar);
}

/** The parameters of lists, for the API reference. */
export const ListQuery = z.object({
  'queries[]': z.array(z.string()).optional().describe('Queries as JSON, as the SDK writes them.'),
  total: z.enum(['true', 'false']).optional().describe('`false`: the total is not counted and is 0.'),
});

/** `queries[0]=…&queries[1]=…`, in any order of numbers. */
export function listQueryTexts(query: URLSearchParams): string[] {
  return [...query].filter(([name]) => /^queries\[\d*\]$/.test(name)).map(([, text]) => text);
}
