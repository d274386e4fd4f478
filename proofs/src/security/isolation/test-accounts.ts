/** Alice, who owns the data; Mallory, who attacks; and credentials that are no longer valid. */
import { randomUUID } from 'node:crypto';
import { createOpaqueClient } from '@dostar/client/opaque';
import { revokeCurrentSession, getSession } from '@dostar/protocol/contract/sessions';
import type { AccountId } from '@dostar/protocol/ids';
import { accountOn } from '../../../../apps/server/test/test-cluster.ts';
import type { Context } from '../../../../apps/server/src/context.ts';
import {
  authenticateTicket,
  startVerifiedSignUp,
} from '../../../../apps/server/src/features/identity/sign-ups/service.ts';
import { createAccount } from '../../../../apps/server/src/features/identity/accounts/service.ts';
import { startSignUp } from '../../../../apps/server/src/features/identity/sign-ups/service.ts';
import { setContact } from '../../../../apps/server/src/features/people/contacts/service.ts';
import { SESSION_LIFETIME_MS, startSession } from '../../../../apps/server/src/features/identity/sessions/service.ts';
import type { Servers } from '../../harness/lib/servers.ts';
import { randomAddress } from '@dostar/client/testing/http-browser';
import { callWith } from './call.ts';

/** All on one shard, so that a statement that does not filter by owner finds another account's rows. */
const SHARD = 0;

export interface Person {
  account: AccountId;
  token: string;
  session: string;
  device: string;
}

export interface SignUp {
  account: AccountId;
  ticket: string;
  email: string;
}

/** Messages of OPAQUE as a browser makes them: the server would refuse made-up ones for their form. */
export interface OpaqueMessages {
  registration: string;
  record: string;
  login: string;
}

export async function makeOpaqueMessages(ctx: Context): Promise<OpaqueMessages> {
  const [opaque, password] = [createOpaqueClient(), 'a password of no account'];
  const { state, request: registration } = await opaque.startRegistration(password);
  const response = ctx.opaque.answerRegistration('nobody', registration);
  const { record } = await opaque.finishRegistration(password, state, response);
  const { request: login } = await opaque.startLogin(password);
  return { registration, record, login };
}

export async function makePerson(ctx: Context): Promise<Person> {
  const account = await createAccount(ctx, accountOn(SHARD));
  const { token, session, device } = await startSession(ctx, account, 'a browser of the proof');
  return { account, token, session, device };
}

export async function befriend(ctx: Context, one: Person, other: Person): Promise<void> {
  await setContact(ctx, one.account, other.account, 'accepted');
  await setContact(ctx, other.account, one.account, 'accepted');
}

/** Starts a sign-up whose address a provider has verified. */
export async function makeSignUp(ctx: Context): Promise<SignUp> {
  const email = randomEmail();
  const identity = { issuer: 'https://provider.example', subject: randomUUID() };
  const ticket = await startVerifiedSignUp(ctx, { email, locale: 'en', identity });
  const { account } = await authenticateTicket(ctx, ticket);
  return { account, ticket, email };
}

/** Starts a sign-up whose code was not entered yet. */
export async function makeUnverifiedSignUp(ctx: Context, { registration }: OpaqueMessages): Promise<SignUp> {
  const email = randomEmail();
  const start = { email, locale: 'en', request: registration } as const;
  const { ticket, account } = await startSignUp(ctx, start, randomAddress());
  return { account, ticket, email };
}

export async function makeExpiredToken(ctx: Context, { account }: Person): Promise<string> {
  const longAgo = { ...ctx, clock: { now: () => Date.now() - SESSION_LIFETIME_MS - 1_000 } };
  return (await startSession(longAgo, account)).token;
}

export async function makeExpiredTicket(ctx: Context): Promise<string> {
  const longAgo = { ...ctx, clock: { now: () => Date.now() - 24 * 3_600_000 } };
  const identity = { issuer: 'https://provider.example', subject: randomUUID() };
  return startVerifiedSignUp(longAgo, { email: randomEmail(), locale: 'en', identity });
}

/** Every process has cached the session before one of them ends it. */
export async function makeEndedToken({ ctx, processes }: Servers, { account }: Person): Promise<string> {
  const { token } = await startSession(ctx, account);
  for (const { url } of processes.slice(0, 2)) {
    const { status } = await callWith(url, getSession, { token }, undefined);
    if (status !== 200) throw new Error(`a fresh session is answered ${status}`);
  }
  await callWith(processes[0]!.url, revokeCurrentSession, { token }, undefined);
  return token;
}

export function randomEmail(): string {
  return `${randomUUID()}@proof.example`;
}
