/** Everything a check needs: servers, test accounts with data, and access to the databases. */
import type { Role } from '@dostar/tools/servers';
import type { Context } from '../../../../apps/server/src/context.ts';
import { startSession } from '../../../../apps/server/src/features/identity/sessions/service.ts';
import type { Servers } from '../../harness/lib/servers.ts';
import type { TestAccounts } from './bodies.ts';
import type { AttackAccounts } from './cases.ts';
import { Checks } from './checks.ts';
import * as people from './test-accounts.ts';
import { openRowReader } from './rows.ts';
import type { RowReader } from './rows.ts';

export interface Fixture extends AsyncDisposable {
  apis: Role[];
  /** Both apis; in the short form one of them, in turn. */
  choose: () => Role[];
  gateway: Role;
  rowReader: RowReader;
  checks: Checks;
  attackAccounts: AttackAccounts;
  /** Creates unused accounts, for calls that change their caller. */
  createTestAccounts: () => Promise<TestAccounts>;
}

export async function createFixture(servers: Servers, isShort: boolean): Promise<Fixture> {
  const { ctx, engines, processes } = servers;
  const opaque = await people.makeOpaqueMessages(ctx);
  const rowReader = await openRowReader(engines);
  const apis = processes.slice(0, 2);
  let turn = 0;
  return {
    apis,
    choose: () => (isShort ? [apis[turn++ % apis.length]!] : apis),
    gateway: processes[2]!,
    rowReader,
    checks: new Checks(),
    attackAccounts: await createAttackAccounts(servers, opaque),
    createTestAccounts: () => createTestAccounts(ctx, opaque),
    [Symbol.asyncDispose]: () => rowReader[Symbol.asyncDispose](),
  };
}

export async function createTestAccounts(ctx: Context, opaque: people.OpaqueMessages): Promise<TestAccounts> {
  const [alice, friend] = [await people.makePerson(ctx), await people.makePerson(ctx)];
  await people.befriend(ctx, alice, friend);
  const second = await startSession(ctx, alice.account, 'another browser of the proof');
  const [signUp, mailSignUp] = [await people.makeSignUp(ctx), await people.makeUnverifiedSignUp(ctx, opaque)];
  const { token: pendingToken } = await startSession(ctx, alice.account, '', { isPending: true });
  return { alice, second, friend, pendingToken, signUp, mailSignUp, opaque };
}

async function createAttackAccounts(servers: Servers, opaque: people.OpaqueMessages): Promise<AttackAccounts> {
  const { ctx } = servers;
  const testAccounts = await createTestAccounts(ctx, opaque);
  return {
    ...testAccounts,
    mallory: await people.makePerson(ctx),
    mallorysSignUp: await people.makeSignUp(ctx),
    expiredToken: await people.makeExpiredToken(ctx, testAccounts.alice),
    endedToken: await people.makeEndedToken(servers, testAccounts.alice),
    expiredTicket: await people.makeExpiredTicket(ctx),
    makeSession: () => startSession(ctx, testAccounts.alice.account),
  };
}
