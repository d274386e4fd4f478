/**
 * Who is calling.
 *
 * Promise: an ended session is refused within ten seconds everywhere (the cache), and at once wherever the bus is
 * heard; its sockets are closed by the gateway that holds them (SPEC H4).
 */
import { randomUUID } from 'node:crypto';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, DeviceId } from '@dostar/protocol/ids';
import type { Context } from '../../context.ts';
import type { Limit } from '../../platform/limits.ts';
import { announceSessionEnd, requireHead } from '../mailbox/service.ts';
import { deleteSession, findSession, insertDevice, insertSession, listLive, listSessions } from './store.ts';
import { mintToken, readToken } from './token.ts';

const CACHE_FOR_MS = 10_000;
const MAX_CACHED = 100_000;
export const SESSION_LASTS_MS = 365 * 24 * 3_600_000;
const ENDED = 'session.ended';

/** Wrong tokens from one address. A person whose session ended sends a few; a guesser sends many. */
const WRONG_TOKENS: Limit = { name: 'wrong-token', points: 60, perSeconds: 60, scope: 'shared' };

/** For deleting, changing the password and the like. */
const PROOF_LASTS_MS = 10 * 60_000;

export interface Session {
  account: AccountId;
  device: DeviceId;
  session: string;
  /** When the person last proved who they are. */
  provenAt: number;
}

interface Cached extends Session {
  until: number;
}

export class Sessions implements AsyncDisposable {
  readonly #ctx: Context;
  readonly #stopListening: () => void;
  #cache = new Map<string, Cached>();

  private constructor(ctx: Context, stopListening: () => void) {
    this.#ctx = ctx;
    this.#stopListening = stopListening;
  }

  static async open(ctx: Context): Promise<Sessions> {
    let sessions: Sessions | undefined;
    const stop = await ctx.bus.subscribe(ENDED, (session) => sessions?.forget(session));
    sessions = new Sessions(ctx, stop);
    return sessions;
  }

  /** Throws `unauthenticated` for what is not a live session, and `rate_limited` for too many of those. */
  async authenticate(token: string | undefined, address: string): Promise<Session> {
    if (token === undefined) throw new AppError('unauthenticated');
    const now = this.#ctx.clock.now();
    const cached = this.#cache.get(token);
    if (cached && cached.until > now) return cached;
    this.#cache.delete(token);

    const found = (await this.#look(token, now)) ?? (await this.#lookAgain(token, now, address));
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(token, { ...found, until: now + CACHE_FOR_MS });
    return found;
  }

  /** Unknown here: made up, ended, or its account has just moved. Only the last is worth asking the shards about. */
  async #lookAgain(token: string, now: number, address: string): Promise<Session> {
    await this.#ctx.limits.charge(WRONG_TOKENS, address);
    const read = readToken(token);
    if (!read) throw new AppError('unauthenticated');
    if (!(await hasMailbox(this.#ctx, read.account))) throw new AppError('unauthenticated');
    const found = await this.#look(token, now);
    if (!found) throw new AppError('unauthenticated');
    return found;
  }

  async #look(token: string, now: number): Promise<Session | undefined> {
    const read = readToken(token);
    if (!read) return undefined;
    const { account, secretHash } = read;
    const row = await this.#ctx.shards.of(account).query((db) => findSession(db, account, secretHash));
    if (!row || row.expiresAt <= now) return undefined;
    return { account, device: row.device as DeviceId, session: row.id, provenAt: row.provenAt };
  }

  forget(session: string): void {
    for (const [token, cached] of this.#cache) if (cached.session === session) this.#cache.delete(token);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening();
  }
}

/** A new device of the account, signed in. The token is shown once and kept nowhere. */
export async function startSession(
  ctx: Context,
  account: AccountId,
  client = '',
): Promise<Session & { token: string }> {
  const { token, secretHash } = mintToken(account);
  const device = randomUUID() as DeviceId;
  const id = randomUUID();
  const createdAt = ctx.clock.now();
  const expiresAt = createdAt + SESSION_LASTS_MS;
  await ctx.shards.follow(() =>
    ctx.shards.of(account).write(account, async (db) => {
      await insertDevice(db, account, device, createdAt);
      await insertSession(db, { owner: account, id, device, secretHash, createdAt, expiresAt, client });
    }),
  );
  return { account, device, session: id, provenAt: createdAt, token };
}

/** Throws `reauthenticate` if it has been too long for something this serious. */
export function requireProven(ctx: Context, session: Session): void {
  if (ctx.clock.now() - session.provenAt > PROOF_LASTS_MS) throw new AppError('reauthenticate');
}

export async function listSessionsOf(ctx: Context, account: AccountId) {
  return ctx.shards.of(account).query((db) => listSessions(db, account, ctx.clock.now()));
}

/** One of the account's sessions, by its id. */
export async function endSessionById(ctx: Context, account: AccountId, session: string): Promise<void> {
  await ctx.shards.follow(() => ctx.shards.of(account).write(account, (db) => deleteSession(db, account, session)));
  ctx.bus.publish(ENDED, session);
  announceSessionEnd(ctx, account, session);
}

/** All but `keep`. */
export async function endOtherSessions(ctx: Context, account: AccountId, keep?: string): Promise<void> {
  for (const { id } of await listSessionsOf(ctx, account)) {
    if (id !== keep) await endSessionById(ctx, account, id);
  }
}

/** Of these sessions, those that have ended; for sockets that outlived a lost announcement. */
export async function listEnded(ctx: Context, sessions: Session[]): Promise<Set<string>> {
  const suspects = await listNotLive(ctx, sessions);
  // A shard that has given the account away knows none of its sessions. Only the one that has it may end them.
  const accounts = [...new Set(suspects.map((session) => session.account))];
  await Promise.all(accounts.map((account) => hasMailbox(ctx, account)));
  const ended = suspects.length > 0 ? await listNotLive(ctx, suspects) : [];
  return new Set(ended.map((session) => session.session));
}

async function listNotLive(ctx: Context, sessions: Session[]): Promise<Session[]> {
  const live = new Set<string>();
  for (const [shard, group] of ctx.shards.group(sessions, (session) => session.account)) {
    const asked = group.map((session) => ({ owner: session.account, id: session.session }));
    for (const id of await shard.query((db) => listLive(db, asked, ctx.clock.now()))) live.add(id);
  }
  return sessions.filter((session) => !live.has(session.session));
}

/** Asked of the shard that really has it, which this process knows afterwards. */
async function hasMailbox(ctx: Context, account: AccountId): Promise<boolean> {
  try {
    await requireHead(ctx, account);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unknown_account') return false;
    throw error;
  }
}
