/** Queries of `/v1` as SQL. Values are always parameters; expressions come from the schema, never from a caller. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Condition, Field, Filter, Order, Scalar } from './queries.ts';

interface SqlField extends Field {
  /** The value; for an array, as `jsonb`. */
  expression: RawBuilder<unknown>;
}

export type SqlFields = ReadonlyMap<string, SqlField>;

const CASTS = { text: sql`text`, number: sql`numeric`, boolean: sql`boolean`, time: sql`timestamptz` };

export function whereAll(filters: readonly Filter[], fields: SqlFields): RawBuilder<boolean> {
  return join(
    filters.map((filter) => toSql(filter, fields)),
    'and',
  );
}

function join(parts: RawBuilder<boolean>[], word: 'and' | 'or'): RawBuilder<boolean> {
  if (parts.length === 0) return sql<boolean>`true`;
  return sql<boolean>`(${sql.join(parts, word === 'and' ? sql` and ` : sql` or `)})`;
}

function toSql(filter: Filter, fields: SqlFields): RawBuilder<boolean> {
  if ('filters' in filter)
    return join(
      filter.filters.map((inner) => toSql(inner, fields)),
      filter.method,
    );
  const field = fields.get(filter.attribute)!;
  return field.isArray ? arrayToSql(filter, field) : valueToSql(filter, field);
}

function parameter(value: Scalar, { type }: Field): RawBuilder<unknown> {
  return sql`${String(value)}::${CASTS[type]}`;
}

function valueToSql({ method, values }: Condition, field: SqlField): RawBuilder<boolean> {
  const e = field.expression;
  const [first, second] = values.map((value) => parameter(value, field));
  switch (method) {
    case 'equal':
      return sql<boolean>`${e} in (${sql.join(values.map((value) => parameter(value, field)))})`;
    case 'notEqual':
      return sql<boolean>`${e} <> ${first}`;
    case 'lessThan':
      return sql<boolean>`${e} < ${first}`;
    case 'lessThanEqual':
      return sql<boolean>`${e} <= ${first}`;
    case 'greaterThan':
      return sql<boolean>`${e} > ${first}`;
    case 'greaterThanEqual':
      return sql<boolean>`${e} >= ${first}`;
    case 'between':
      return sql<boolean>`${e} between ${first} and ${second}`;
    case 'notBetween':
      return sql<boolean>`${e} not between ${first} and ${second}`;
    case 'isNull':
      return sql<boolean>`${e} is null`;
    case 'isNotNull':
      return sql<boolean>`${e} is not null`;
    case 'startsWith':
      return sql<boolean>`starts_with(${e}, ${first})`;
    case 'notStartsWith':
      return sql<boolean>`not starts_with(${e}, ${first})`;
    case 'endsWith':
      return sql<boolean>`right(${e}, length(${first})) = ${first}`;
    case 'notEndsWith':
      return sql<boolean>`right(${e}, length(${first})) <> ${first}`;
    case 'search':
      return sql<boolean>`to_tsvector('simple', ${e}) @@ plainto_tsquery('simple', ${first})`;
    case 'notSearch':
      return sql<boolean>`not to_tsvector('simple', ${e}) @@ plainto_tsquery('simple', ${first})`;
    case 'contains':
    case 'containsAny':
      return join(
        values.map((value) => sql<boolean>`strpos(${e}, ${parameter(value, field)}) > 0`),
        'or',
      );
    case 'containsAll':
      return join(
        values.map((value) => sql<boolean>`strpos(${e}, ${parameter(value, field)}) > 0`),
        'and',
      );
    case 'notContains':
      return join(
        values.map((value) => sql<boolean>`strpos(${e}, ${parameter(value, field)}) = 0`),
        'and',
      );
  }
}

function arrayToSql({ method, values }: Condition, { expression: e, ...field }: SqlField): RawBuilder<boolean> {
  const holds = values.map((value) => sql<boolean>`${e} @> to_jsonb(${parameter(value, field)})`);
  if (method === 'isNull') return sql<boolean>`${e} is null`;
  if (method === 'isNotNull') return sql<boolean>`${e} is not null`;
  if (method === 'containsAll') return join(holds, 'and');
  return method === 'notContains' ? sql<boolean>`not ${join(holds, 'or')}` : join(holds, 'or');
}

/** NULLs sort first ascending and last descending, so pages match cursors. */
export function orderBy(orders: readonly Order[], fields: SqlFields, isReversed: boolean): RawBuilder<unknown> {
  const parts = orders.map(({ attribute, isDescending }) => {
    const { expression } = fields.get(attribute)!;
    return isDescending === isReversed ? sql`${expression} asc nulls first` : sql`${expression} desc nulls last`;
  });
  return sql.join(parts);
}

/** The values that decide a row's position, as text. */
export function orderValues(orders: readonly Order[], fields: SqlFields): RawBuilder<(string | null)[]> {
  const values = orders.map(({ attribute }) => sql`(${fields.get(attribute)!.expression})::text`);
  return sql`array[${sql.join(values)}]::text[]`;
}

/** Selects the rows that come after a row in the order. */
export function afterRow(
  orders: readonly Order[],
  fields: SqlFields,
  values: readonly string[],
  isReversed: boolean,
): RawBuilder<boolean> {
  const steps = orders.map((_, depth) => {
    const ties = orders.slice(0, depth).map((order, n) => compare(order, n, 'same'));
    return join([...ties, compare(orders[depth]!, depth, 'further')], 'and');
  });
  return join(steps, 'or');

  function compare({ attribute, isDescending }: Order, n: number, how: 'same' | 'further'): RawBuilder<boolean> {
    const field = fields.get(attribute)!;
    const value = parameter(values[n]!, field);
    if (how === 'same') return sql<boolean>`${field.expression} = ${value}`;
    if (isDescending === isReversed) return sql<boolean>`${field.expression} > ${value}`;
    return sql<boolean>`(${field.expression} < ${value} or ${field.expression} is null)`;
  }
}
