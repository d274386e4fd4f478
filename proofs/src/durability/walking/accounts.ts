import type { AccountId } from '@dostar/protocol/ids';
import { accountOn } from '../../../../apps/server/test/test-cluster.ts';
import { readConfig } from '../../../../apps/server/src/config.ts';
import { createAccount } from '../../../../apps/server/src/features/identity/accounts/service.ts';
import { setContact } from '../../../../apps/server/src/features/people/contacts/service.ts';
import { startSession } from '../../../../apps/server/src/features/identity/sessions/service.ts';
import { openContext } from '../../../../apps/server/src/open-context.ts';
import { readSecrets } from '../../../../apps/server/src/secrets.ts';
import { silentBus } from '../../harness/lib/silent-bus.ts';
import { listPeers, type Plan } from './plan.ts';

export interface Person {
  account: AccountId;
  token: string;
}

/** Accounts by index, on alternating shards, signed in and accepted by the users to whom they write. */
export async function createAccounts(env: Record<string, string>, plan: Plan): Promise<Person[]> {
  await using opened = await openContext(readConfig({ ...env, LOG_LEVEL: 'warn' }), readSecrets(env), {
    bus: silentBus,
  });
  const { ctx } = opened;
  await ctx.placement.reload();
  const people: Person[] = [];
  for (let index = 0; index < plan.people; index += 1) {
    const account = await createAccount(ctx, accountOn(index % 2));
    const { token } = await startSession(ctx, account);
    people.push({ account, token });
  }
  for (const [index, { account }] of people.entries()) {
    for (const peer of listPeers(plan, index)) await setContact(ctx, people[peer]!.account, account, 'accepted');
  }
  return people;
}
