/**
 * Data that an account stores for its own devices: drafts, stars, settings. The server sees the number of entries, the
 * times of changes and rounded sizes, but neither names nor values (SPEC A).
 */
import { z } from 'zod';
import { endpoint } from './endpoint.ts';

export const MAX_DATA_BYTES = 34 * 1024;
export const MAX_DATA_REGISTERS = 5_000;

const PREFIX = 'data/';

/** `name` is a keyed hash that only the account's devices can make: 32 bytes. */
export const AccountDataName = z.base64url().length(43);

/** The key of a register in the mailbox of the device's own account. */
export function accountDataKey(name: string): string {
  return `${PREFIX}${name}`;
}

export function isAccountDataKey(key: string): boolean {
  return key.startsWith(PREFIX);
}

/** Overwrites one register; the account's other devices receive it like any register (SPEC G2). */
export const putAccountData = endpoint({
  method: 'POST',
  path: '/api/account-data/put',
  auth: 'session',
  body: z.object({
    name: AccountDataName,
    value: z
      .base64url()
      .min(1)
      .max(Math.ceil((MAX_DATA_BYTES * 4) / 3)),
  }),
  reply: z.object({}),
  errors: ['too_large', 'rate_limited', 'unavailable'],
});
