/** Everything a check needs: servers, people with something to lose, and a look into the databases. */
import type { Role } from '@dostar/tools/servers';
import type { Context } from '../../../../apps/server/src/context.ts';
import { startSession } from '../../../../apps/server/src/features/identity/sessions/service.ts';
import type { Servers } from '../../harness/lib/servers.ts';
import type { Belongings } from './bodies.ts';
import type { Cast } from './cases.ts';
import { Checks } from './checks.ts';
import * as people from './people.ts';
import { openArchive } from './rows.ts';
import type { Archive } from './rows.ts';

export interface Scene extends AsyncDisposable {
  apis: Role[];
  /** Both; in the short form one of them, by turns. */
  choose: () => Role[];
  gateway: Role;
  archive: Archive;
  checks: Checks;
  cast: Cast;
  /** People who have never been seen: for calls after which one is somebody else. */
  makeBelongings: () => Promise<Belongings>;
}

export async function setScene(servers: Servers, isShort: boolean): Promise<Scene> {
  const { ctx, engines, processes } = servers;
  const opaque = await people.makeOpaqueMessages(ctx);
  const archive = await openArchive(engines);
  const apis = processes.slice(0, 2);
  let turn = 0;
  return {
    apis,
    choose: () => (isShort ? [apis[turn++ % apis.length]!] : apis),
    gateway: processes[2]!,
    archive,
    checks: new Checks(),
    cast: await makeCast(servers, opaque),
    makeBelongings: () => makeBelongings(ctx, opaque),
    [Symbol.asyncDispose]: () => archive[Symbol.asyncDispose](),
  };
}

export async function makeBelongings(ctx: Context, opaque: people.OpaqueMessages): Promise<Belongings> {
  const [alice, friend] = [await people.makePerson(ctx), await people.makePerson(ctx)];
  await people.befriend(ctx, alice, friend);
  const second = await startSession(ctx, alice.account, 'another browser of the proof');
  const [signUp, mailSignUp] = [await people.makeSignUp(ctx), await people.makeUnprovedSignUp(ctx, opaque)];
  const { token: pendingToken } = await startSession(ctx, alice.account, '', { isPending: true });
  return { alice, second, friend, pendingToken, signUp, mailSignUp, opaque };
}

async function makeCast(servers: Servers, opaque: people.OpaqueMessages): Promise<Cast> {
  const { ctx } = servers;
  const belongings = await makeBelongings(ctx, opaque);
  return {
    ...belongings,
    mallory: await people.makePerson(ctx),
    mallorysSignUp: await people.makeSignUp(ctx),
    expiredToken: await people.makeExpiredToken(ctx, belongings.alice),
    endedToken: await people.makeEndedToken(servers, belongings.alice),
    expiredTicket: await people.makeExpiredTicket(ctx),
    makeSession: () => startSession(ctx, belongings.alice.account),
  };
}
