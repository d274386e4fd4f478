/**
 * One connection to the gateway, from `resume` to its end.
 *
 * Order matters: store first, then `ack`. An ack for mail that a crash then loses would tell the sender it had been
 * delivered (SPEC R5). Keys go in before the mail that came with them: it needs them.
 */
import { getSession } from '@dostar/protocol/contract/sessions';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import type { DeviceId } from '@dostar/protocol/ids';
import { PING_EVERY_MS, REALTIME_VERSION } from '@dostar/protocol/realtime';
import { createAcker } from './acker.ts';
import { runNaming } from '../contacts/users.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import { cursorOf, writeConnection } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import { withRoom } from '../storage/quota.ts';
import type { ClientDeps, Clock } from '../deps.ts';
import { type Ending, type Place, readFrames } from './frames.ts';
import { createCourtesy } from '../messages/receive/yield-to-visible.ts';
import { loadHeads, untilListed } from '../messages/receive/chat-previews.ts';
import { forgetCursor, startReading, storeReading } from '../messages/receive/receive.ts';
import { callEndpoint } from '../net/http.ts';
import { openWire, type Wire } from '../net/socket.ts';
import { attendPresence } from '../presence/attend.ts';

/** How long the server may be silent after a connect or a ping before the socket counts as dead. */
const ANSWER_WITHIN_MS = 15_000;

export interface ConversationDeps extends ClientDeps {
  ring: KeyRing;
  /** Mail has been stored, sealed as it came. */
  onStored: () => void;
}

/** `onOnline` is told once the mailbox has been caught up with. */
export async function converse(
  db: Db,
  deps: ConversationDeps,
  signal: AbortSignal,
  onOnline: () => void,
): Promise<Ending> {
  const wire = openWire(deps.openSocket, deps.baseUrl);
  const ended = new AbortController();
  const whileTalking = AbortSignal.any([signal, ended.signal]);
  whileTalking.addEventListener('abort', wire.close);
  // The socket is of the device that was: the next conversation is the new one's.
  const stopRenewals = deps.ring.onRenew(wire.close);
  try {
    void keepAlive(wire, deps.clock, whileTalking);
    const loading = loadHeads(db, deps, whileTalking).catch((error: unknown) => {
      deps.log('list not loaded', { error });
      return false;
    });
    const [isOpen, session] = await Promise.all([wire.opened, checkSession(deps, whileTalking)]);
    if (session.ending !== undefined) return session.ending;
    return isOpen
      ? await follow(db, deps, wire, { ...session, loading, signal: whileTalking, onOnline })
      : { t: 'lost' };
  } finally {
    stopRenewals();
    ended.abort();
  }
}

interface Following {
  device: DeviceId;
  /** Of a new browser's list. */
  loading: Promise<boolean>;
  signal: AbortSignal;
  onOnline: () => void;
}

async function follow(db: Db, deps: ConversationDeps, wire: Wire, following: Following): Promise<Ending> {
  const { device, loading, signal, onOnline } = following;
  const acker = createAcker((seq) => wire.send({ t: 'ack', seq }), deps.clock, signal);
  const attending = attendPresence(db, deps, wire, signal);
  const letReadersFirst = createCourtesy(db, deps.clock, signal);
  await deps.ring.openDevice(device);
  await untilListed(db, deps, loading, signal);
  let place = await resume(db, deps.ring, wire, device);
  for (let frames = await wire.receive(); frames !== undefined; frames = await wire.receive()) {
    const step = readFrames(place, frames);
    await attending.hear(frames);
    for (const changes of step.keys) {
      await deps.ring.receive(changes);
      wire.send({ t: 'ack_to_device', token: changes.token });
    }
    const { reading } = step;
    if (reading !== undefined) {
      await letReadersFirst();
      await withRoom(db, deps, () => storeReading(db, deps.account, reading, deps.clock.now()));
      deps.onStored();
    }
    // Also when nothing is new: the last conversation's ack may have been lost with its socket.
    if (step.place.goal !== undefined) acker.ack(step.place.seq);
    if (step.place.goal !== undefined && place.goal === undefined) {
      onOnline();
      attending.start();
      void runNaming(db, deps, signal);
      await writeConnection(db, 'online');
    }
    place = step.place;
    if (step.ending?.t === 'reset') {
      acker.forget();
      await forgetCursor(db, step.ending.epoch);
      place = await resume(db, deps.ring, wire, device);
    } else if (step.ending !== undefined) {
      return step.ending;
    }
  }
  return { t: 'lost' };
}

async function resume(db: Db, ring: KeyRing, wire: Wire, device: DeviceId): Promise<Place> {
  const toDevice = await ring.openDevice(device);
  const standing = await startReading(db);
  const cursor = cursorOf(standing);
  wire.send({ t: 'resume', v: REALTIME_VERSION, cursor, ...(toDevice !== undefined && { toDevice }) });
  return { epoch: standing.epoch, seq: standing.seq, rev: standing.rev };
}

/**
 * Whether the session is alive and this account's. A browser never says why a handshake failed; and after a sign-in as
 * somebody else in another tab, the cookie would bring their mail into this account's database.
 */
async function checkSession(deps: ClientDeps, signal: AbortSignal): Promise<Checked> {
  try {
    const { account, device } = await callEndpoint(deps, getSession, undefined, signal);
    return account === deps.account ? { device } : { ending: SIGNED_OUT };
  } catch (error) {
    const retry = error instanceof AppError ? ERRORS[error.code].retry : 'later';
    if (retry === 'after_reload') return { ending: OUTDATED };
    return { ending: retry === 'after_login' ? SIGNED_OUT : { t: 'lost' } };
  }
}

type Checked = { device: DeviceId; ending?: undefined } | { ending: Ending };

const SIGNED_OUT: Ending = { t: 'bye', reason: 'signed_out', afterMs: 0 };
const OUTDATED: Ending = { t: 'bye', reason: 'version', afterMs: 0 };

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
