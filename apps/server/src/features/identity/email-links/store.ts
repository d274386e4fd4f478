import type { EmailLinkPurpose } from '@dostar/protocol/contract/email-links';
import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export interface NewEmailLink {
  tokenHash: Buffer;
  purpose: EmailLinkPurpose;
  account: AccountId;
  address: string;
  newAddress?: string | undefined;
  locale: string;
  createdAt: number;
  expiresAt: number;
}

export async function insertLink(directory: DirectoryDb, link: NewEmailLink): Promise<void> {
  await directory
    .insertInto('mail_link')
    .values({
      token_hash: link.tokenHash,
      purpose: link.purpose,
      account: link.account,
      address: link.address,
      new_address: link.newAddress ?? null,
      locale: link.locale,
      created_at: link.createdAt,
      expires_at: link.expiresAt,
    })
    .execute();
}

export async function findLink(directory: DirectoryDb, tokenHash: Buffer) {
  return directory
    .selectFrom('mail_link')
    .select([
      'purpose',
      'account',
      'address',
      'new_address as newAddress',
      'locale',
      'expires_at as expiresAt',
      'used_at as usedAt',
    ])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** True for one caller only. */
export async function markLinkUsed(directory: DirectoryDb, tokenHash: Buffer, now: number): Promise<boolean> {
  const result = await directory
    .updateTable('mail_link')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function markLinkUnused(directory: DirectoryDb, tokenHash: Buffer): Promise<void> {
  await directory.updateTable('mail_link').set({ used_at: null }).where('token_hash', '=', tokenHash).execute();
}

export async function setLinksExpired(
  directory: DirectoryDb,
  account: AccountId,
  purposes: EmailLinkPurpose[],
  now: number,
): Promise<void> {
  await directory
    .updateTable('mail_link')
    .set({ expires_at: now })
    .where('account', '=', account)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
}

export async function deleteLinksOf(directory: DirectoryDb, account: AccountId): Promise<void> {
  await directory.deleteFrom('mail_link').where('account', '=', account).execute();
}

export async function deleteLinksBefore(directory: DirectoryDb, moment: number): Promise<void> {
  await directory.deleteFrom('mail_link').where('expires_at', '<', moment).execute();
}
