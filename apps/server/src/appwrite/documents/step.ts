/** Counting in a document: of many who count at once none is lost. */
import type { Context } from '../../context.ts';
import { ServiceError } from '../errors.ts';
import type { ServiceCaller } from '../http.ts';
import type { AttributeDefinition } from '../definition.ts';
import type { Collection } from './model.ts';
import { changeDocument } from './service.ts';
import type { Document } from './store.ts';

type Amount = number | bigint;

export interface Step {
  id: string;
  attribute: string;
  /** Below zero: down. */
  by: Amount;
  /** Not passed. */
  limit: Amount | undefined;
}

export async function stepAttribute(
  ctx: Context,
  collection: Collection,
  { id, attribute: name, by, limit }: Step,
  caller: ServiceCaller,
): Promise<Document> {
  const attribute = collection.attributes.find(({ key }) => key === name);
  if (!attribute) throw new ServiceError('attribute_not_found');
  if (attribute.array || !['integer', 'float'].includes(attribute.type))
    throw new ServiceError('attribute_type_invalid');
  return changeDocument(ctx, collection, { id, permissions: undefined, data: step }, caller);

  function step(known: Document): Document['data'] {
    const next = add(attribute!, (known.data[name] ?? 0) as Amount, by);
    const isBeyond = limit !== undefined && (by > 0 ? next > limit : next < limit);
    if (isBeyond) throw new ServiceError('attribute_limit_exceeded');
    return { [name]: next };
  }
}

/** Whole numbers keep all their digits. */
function add({ type }: AttributeDefinition, one: Amount, other: Amount): Amount {
  if (type === 'float') return Number(one) + Number(other);
  if (typeof other === 'number' && !Number.isInteger(other)) throw new ServiceError('attribute_type_invalid');
  const sum = BigInt(one) + BigInt(other);
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}
