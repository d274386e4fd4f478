/** The operator's configuration of `/v1`: databases, buckets, topics and permissions. Read once from a file. */
import { readFileSync } from 'node:fs';
import { expandPermissions, isRole } from '@dostar/protocol/appwrite/permissions';
import { AppwriteId } from '@dostar/protocol/appwrite/ids';
import { z } from 'zod';
import { readOrigin } from './platform/http/read-origin.ts';

const Permissions = z
  .array(z.string())
  .default([])
  .transform((texts) => expandPermissions(texts, 'container'));

const Bucket = z.object({
  id: AppwriteId,
  permissions: Permissions,
  /** Whether permissions of single files count. */
  fileSecurity: z.boolean().default(false),
  maxBytes: z
    .int()
    .positive()
    .max(2 * 1024 ** 3)
    .default(50 * 1024 ** 2),
  /** File name extensions in lower case; an empty list allows all. */
  extensions: z.array(z.string().regex(/^[a-z0-9]{1,10}$/)).default([]),
  transformations: z.boolean().default(true),
});

const Attribute = z.object({
  /** Refuses names that break the JSON parser of the SDKs. */
  key: z.string().regex(/^(?!constructor$)[A-Za-z][A-Za-z0-9_]{0,35}$/),
  type: z.enum(['string', 'integer', 'float', 'boolean', 'datetime']),
  required: z.boolean().default(false),
  array: z.boolean().default(false),
  /** Maximum number of characters of a string. */
  size: z.int().positive().max(1_000_000).default(16_384),
});

const Collection = z.object({
  id: AppwriteId,
  permissions: Permissions,
  /** Whether permissions of single documents count. */
  documentSecurity: z.boolean().default(false),
  /** The quota of one account: JSON, permissions, and 256 bytes per document. API keys are not limited. */
  quotaBytes: z
    .int()
    .nonnegative()
    .default(16 * 1024 ** 2),
  /** Shows rows of another table to their owner, with fixed attributes. */
  view: z.enum(['users', 'messages']).optional(),
  attributes: z.array(Attribute).max(100).default([]),
});

const Database = z.object({ id: AppwriteId, collections: z.array(Collection).default([]) });

const Topic = z.object({
  id: AppwriteId,
  /** The roles that may subscribe. */
  subscribe: z.array(z.string().refine(isRole, 'no role')).default([]),
});

const Definition = z.object({
  /** In lower case: browsers change upper case in cookie names. */
  project: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,35}$/)
    .default('dostar'),
  /** Hosts (`app.example`, over https) or origins (`http://localhost:8080`) whose pages may call, beside our own. */
  hosts: z.array(z.string().refine((text) => readOrigin(text) !== undefined, 'no host and no origin')).default([]),
  /** Whether everyone may create accounts. */
  signUp: z.boolean().default(true),
  signUpsPerHour: z.int().positive().default(10),
  /** The quota in buckets of an account whose address is not verified. Others have `BLOB_QUOTA_BYTES`. */
  unverifiedQuotaBytes: z
    .int()
    .nonnegative()
    .default(200 * 1024 ** 2),
  /** The same limit for all accounts with an unverified address together. */
  unverifiedTotalBytes: z
    .int()
    .nonnegative()
    .default(10 * 1024 ** 3),
  /** SHA-256, in hex, of API keys. */
  keys: z.array(z.string().regex(/^[0-9a-f]{64}$/)).default([]),
  buckets: z.array(Bucket).default([]),
  databases: z.array(Database).default([]),
  topics: z.array(Topic).default([]),
});

export type AppwriteDefinition = z.output<typeof Definition>;
export type AttributeDefinition = z.output<typeof Attribute>;
export type CollectionDefinition = z.output<typeof Collection>;
export type BucketDefinition = z.output<typeof Bucket>;

/**
 * The default without an `APPWRITE_CONFIG_FILE`: the user document, messages, notes and pictures of each account, and a topic for
 * announcements of the operator. Notes need a verified address, so that strangers can't use the database as free storage.
 */
const DEFAULT: z.input<typeof Definition> = {
  databases: [
    {
      id: 'main',
      collections: [
        { id: 'users', view: 'users' },
        { id: 'messages', view: 'messages' },
        {
          id: 'notes',
          permissions: ['create("users/verified")'],
          documentSecurity: true,
          attributes: [
            { key: 'title', type: 'string', size: 200 },
            { key: 'text', type: 'string' },
            { key: 'tags', type: 'string', array: true, size: 50 },
          ],
        },
      ],
    },
  ],
  buckets: [
    {
      id: 'pictures',
      permissions: ['create("users")'],
      fileSecurity: true,
      maxBytes: 20 * 1024 ** 2,
      extensions: ['jpg', 'jpeg', 'png', 'webp', 'avif', 'heic', 'gif'],
    },
  ],
  topics: [{ id: 'news', subscribe: ['users'] }],
};

export function readAppwriteDefinition(file: string | undefined): AppwriteDefinition {
  const given: unknown = file === undefined ? DEFAULT : JSON.parse(readFileSync(file, 'utf8'));
  const parsed = Definition.safeParse(given);
  if (!parsed.success) throw new Error(`bad APPWRITE_CONFIG_FILE\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
