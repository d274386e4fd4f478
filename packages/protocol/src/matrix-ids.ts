/**
 * Conversion between our ids and the Matrix ids that the encryption library reads and writes. No other part of the
 * product has to know Matrix ids.
 */
import { z } from 'zod';
import type { AccountId, ChatId } from './ids.ts';

/** The server part of every Matrix id. Never change it: signatures cover it. */
export const MATRIX_DOMAIN = 'dostar';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** `@<account>:dostar` */
export const MatrixUser = z
  .string()
  .regex(new RegExp(`^@${UUID}:${MATRIX_DOMAIN}$`))
  .brand('MatrixUser');
export type MatrixUser = z.infer<typeof MatrixUser>;

/** `!<chat>:dostar` */
export const MatrixRoom = z
  .string()
  .regex(new RegExp(`^!${UUID}:${MATRIX_DOMAIN}$`))
  .brand('MatrixRoom');
export type MatrixRoom = z.infer<typeof MatrixRoom>;

/** A browser's device has our device id; the encryption library names a dehydrated device. */
export const MatrixDevice = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\w+/=-]+$/)
  .brand('MatrixDevice');
export type MatrixDevice = z.infer<typeof MatrixDevice>;

export function userOf(account: AccountId): MatrixUser {
  return `@${account}:${MATRIX_DOMAIN}` as MatrixUser;
}

export function accountOf(user: MatrixUser): AccountId {
  return user.slice(1, -MATRIX_DOMAIN.length - 1) as AccountId;
}

export function roomOf(chat: ChatId): MatrixRoom {
  return `!${chat}:${MATRIX_DOMAIN}` as MatrixRoom;
}

export function chatOf(room: MatrixRoom): ChatId {
  return room.slice(1, -MATRIX_DOMAIN.length - 1) as ChatId;
}
