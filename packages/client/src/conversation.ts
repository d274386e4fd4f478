/**
 * One connection to the gateway, from `resume` to its end.
 *
 * Order matters: store first, then `ack`. An ack for mail that a crash then loses would tell the sender it had been
 * delivered (SPEC R5).
 */
import { getSession } from '@dostar/protocol/contract/sessions';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import { PING_EVERY_MS, REALTIME_VERSION } from '@dostar/protocol/realtime';
import { createAcker } from './acker.ts';
import { cursorOf, writeConnection } from './db/meta.ts';
import type { Db } from './db/open.ts';
import type { ClientDeps, Clock } from './deps.ts';
import { type Ending, type Place, readFrames } from './frames.ts';
import { forgetCursor, startReading, storeReading } from './messages/receive.ts';
import { callEndpoint } from './net/http.ts';
import { openWire, type Wire } from './net/socket.ts';

/** How long the server may be silent after a connect or a ping before the socket counts as dead. */
const ANSWER_WITHIN_MS = 15_000;

export async function converse(db: Db, deps: ClientDeps, signal: AbortSignal): Promise<Ending> {
  const wire = openWire(deps.openSocket, deps.baseUrl);
  const ended = new AbortController();
  const whileTalking = AbortSignal.any([signal, ended.signal]);
  whileTalking.addEventListener('abort', wire.close);
  try {
    void keepAlive(wire, deps.clock, whileTalking);
    const [isOpen, ending] = await Promise.all([wire.opened, checkSession(deps, whileTalking)]);
    if (ending !== undefined) return ending;
    return isOpen ? await follow(db, deps, wire, whileTalking) : { t: 'lost' };
  } finally {
    ended.abort();
  }
}

async function follow(db: Db, deps: ClientDeps, wire: Wire, signal: AbortSignal): Promise<Ending> {
  const acker = createAcker((seq) => wire.send({ t: 'ack', seq }), deps.clock, signal);
  let place = await resume(db, wire);
  for (let frames = await wire.receive(); frames !== undefined; frames = await wire.receive()) {
    const step = readFrames(place, frames);
    if (step.reading !== undefined) await storeReading(db, deps.account, step.reading);
    // Also when nothing is new: the last conversation's ack may have been lost with its socket.
    if (step.place.goal !== undefined) acker.ack(step.place.seq);
    if (step.place.goal !== undefined && place.goal === undefined) await writeConnection(db, 'online');
    place = step.place;
    if (step.ending?.t === 'reset') {
      acker.forget();
      await forgetCursor(db, step.ending.epoch);
      place = await resume(db, wire);
    } else if (step.ending !== undefined) {
      return step.ending;
    }
  }
  return { t: 'lost' };
}

async function resume(db: Db, wire: Wire): Promise<Place> {
  const standing = await startReading(db);
  wire.send({ t: 'resume', v: REALTIME_VERSION, cursor: cursorOf(standing) });
  return { epoch: standing.epoch, seq: standing.seq, rev: standing.rev };
}

/**
 * Whether the session is alive and this account's. A browser never says why a handshake failed; and after a sign-in as
 * somebody else in another tab, the cookie would bring their mail into this account's database.
 */
async function checkSession(deps: ClientDeps, signal: AbortSignal): Promise<Ending | undefined> {
  try {
    const session = await callEndpoint(deps, getSession, undefined, signal);
    return session.account === deps.account ? undefined : { t: 'bye', reason: 'signed_out', afterMs: 0 };
  } catch (error) {
    if (error instanceof AppError && ERRORS[error.code].retry === 'after_login') {
      return { t: 'bye', reason: 'signed_out', afterMs: 0 };
    }
    return { t: 'lost' };
  }
}

/** A network that has gone away says nothing: without this a laptop that slept would wait on a dead socket for ever. */
async function keepAlive(wire: Wire, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    const heard = wire.heard();
    if (n > 0) wire.send({ t: 'ping', n });
    await clock.sleep(ANSWER_WITHIN_MS, signal);
    if (wire.heard() === heard) return wire.close();
    await clock.sleep(PING_EVERY_MS - ANSWER_WITHIN_MS, signal);
  }
}
