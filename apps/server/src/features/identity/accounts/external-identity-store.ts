import type { AccountId } from '@dostar/protocol/ids';
import type { DirectoryDb } from '../../../platform/postgres/pools.ts';

export interface Identity {
  issuer: string;
  subject: string;
}

export async function findIdentity(directory: DirectoryDb, { issuer, subject }: Identity) {
  const row = await directory
    .selectFrom('identity')
    .select('account')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.account as AccountId | undefined;
}

/** Does nothing if an account has the identity already. */
export async function insertIdentity(
  directory: DirectoryDb,
  identity: Identity,
  account: AccountId,
  now: number,
): Promise<void> {
  await directory
    .insertInto('identity')
    .values({ issuer: identity.issuer, subject: identity.subject, account, since: now })
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .execute();
}

export async function deleteIdentitiesOf(directory: DirectoryDb, account: AccountId, since = 0): Promise<void> {
  await directory.deleteFrom('identity').where('account', '=', account).where('since', '>=', since).execute();
}
