/** The attributes of a collection that queries may use, with their SQL. */
import { sql } from 'kysely';
import type { SqlFields } from '../query-sql.ts';
import type { AttributeDefinition } from '../../appwrite-definition.ts';

const TYPES = { string: 'text', integer: 'number', float: 'number', boolean: 'boolean', datetime: 'time' } as const;
const CASTS = { text: sql`text`, number: sql`numeric`, boolean: sql`boolean`, time: sql`timestamptz` };

const OWN: [string, { type: 'text' | 'number' | 'time'; isArray: false; expression: ReturnType<typeof sql> }][] = [
  ['$id', { type: 'text', isArray: false, expression: sql`id` }],
  ['$sequence', { type: 'number', isArray: false, expression: sql`sequence` }],
  ['$createdAt', { type: 'time', isArray: false, expression: sql`to_timestamp(created_at / 1000.0)` }],
  ['$updatedAt', { type: 'time', isArray: false, expression: sql`to_timestamp(updated_at / 1000.0)` }],
];

export function fieldsOf(attributes: readonly AttributeDefinition[]): SqlFields {
  const declared = attributes.map(({ key, type: kind, array: isArray }) => {
    const type = TYPES[kind];
    const expression = isArray
      ? sql`nullif(data -> ${key}::text, 'null'::jsonb)`
      : sql`(data ->> ${key}::text)::${CASTS[type]}`;
    return [key, { type, isArray, expression }] as const;
  });
  return new Map([...OWN, ...declared]);
}
