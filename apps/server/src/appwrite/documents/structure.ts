/** Validates data against the attributes of a collection. */
import { AppwriteError } from '../errors.ts';
import { parseTime, writeTime } from '../time.ts';
import type { AttributeDefinition } from '../../appwrite-definition.ts';
import type { Data } from './store.ts';

const MAX_ARRAY = 1_000;
const LARGEST = 2n ** 63n - 1n;

/** Ignores system attributes and refuses undeclared ones. */
export function readData(attributes: readonly AttributeDefinition[], given: Data): Data {
  const entries = Object.entries(given).filter(([name]) => !name.startsWith('$'));
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const attribute = attributes.find(({ key }) => key === name);
      if (!attribute) fail(`Unknown attribute: "${name}"`);
      return [name, value === null || value === undefined ? null : readAttribute(attribute, value)];
    }),
  );
}

/** Throws if a required attribute is missing. */
export function requireComplete(attributes: readonly AttributeDefinition[], data: Data): void {
  const missing = attributes.find(({ key, required }) => required && (data[key] === undefined || data[key] === null));
  if (missing) fail(`Missing required attribute "${missing.key}"`);
}

function readAttribute(attribute: AttributeDefinition, value: unknown): unknown {
  if (!attribute.array) return readValue(attribute, value);
  if (!Array.isArray(value) || value.length > MAX_ARRAY) return fail(`Attribute "${attribute.key}" must be an array`);
  return value.map((item) => readValue(attribute, item));
}

function readValue({ key, type, size }: AttributeDefinition, value: unknown): unknown {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  switch (type) {
    case 'string':
      if (typeof value === 'string' && value.length <= size) return value;
      break;
    case 'integer':
      if (isWhole && BigInt(value as number) <= LARGEST && BigInt(value as number) >= -LARGEST - 1n) return value;
      break;
    case 'float':
      // A large whole number without an exponent.
      if (typeof value === 'bigint') return Number(value);
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      break;
    case 'boolean':
      if (typeof value === 'boolean') return value;
      break;
    case 'datetime': {
      const time = typeof value === 'string' ? parseTime(value) : undefined;
      if (time !== undefined) return writeTime(time);
    }
  }
  return fail(`Attribute "${key}" has invalid type or size`);
}

function fail(why: string): never {
  throw new AppwriteError('document_invalid_structure', `Invalid document structure: ${why}`);
}
