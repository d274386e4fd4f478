/** Increments a number in a document. Parallel increments all count. */
import type { Context } from '../../context.ts';
import { AppwriteError } from '../errors.ts';
import type { AppwriteCaller } from '../http.ts';
import type { AttributeDefinition } from '../../appwrite-definition.ts';
import type { Collection } from './model.ts';
import { changeDocument } from './service.ts';
import type { Document } from './store.ts';

type Amount = number | bigint;

export interface Increment {
  id: string;
  attribute: string;
  /** Negative to decrement. */
  by: Amount;
  /** The result may not go beyond it. */
  limit: Amount | undefined;
}

export async function incrementAttribute(
  ctx: Context,
  collection: Collection,
  { id, attribute: name, by, limit }: Increment,
  caller: AppwriteCaller,
): Promise<Document> {
  const attribute = collection.attributes.find(({ key }) => key === name);
  if (!attribute) throw new AppwriteError('attribute_not_found');
  if (attribute.array || !['integer', 'float'].includes(attribute.type))
    throw new AppwriteError('attribute_type_invalid');
  return changeDocument(ctx, collection, { id, permissions: undefined, data: increment }, caller);

  function increment(known: Document): Document['data'] {
    const next = add(attribute!, (known.data[name] ?? 0) as Amount, by);
    const isBeyond = limit !== undefined && (by > 0 ? next > limit : next < limit);
    if (isBeyond) throw new AppwriteError('attribute_limit_exceeded');
    return { [name]: next };
  }
}

/** Integers beyond 2^53 keep all digits. */
function add({ type }: AttributeDefinition, one: Amount, other: Amount): Amount {
  if (type === 'float') return Number(one) + Number(other);
  if (typeof other === 'number' && !Number.isInteger(other)) throw new AppwriteError('attribute_type_invalid');
  const sum = BigInt(one) + BigInt(other);
  return Number.isSafeInteger(Number(sum)) ? Number(sum) : sum;
}
