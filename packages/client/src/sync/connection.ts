/**
 * One connection to the gateway, from `resume` to its end.
 *
 * Order matters: store first, then `ack`. If a crash lost an acked message, its sender would see it as delivered (SPEC
 * R5). Keys are stored before the messages that came with them and need them.
 */
import { getSession } from '@dostar/protocol/contract/sessions';
import { AppError, ERRORS } from '@dostar/protocol/errors';
import type { DeviceId } from '@dostar/protocol/ids';
import { PING_EVERY_MS, REALTIME_VERSION } from '@dostar/protocol/realtime';
import { createAcker } from './acker.ts';
import { runUserRefresh } from '../contacts/user-cache.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import { cursorOf, writeConnection } from '../storage/meta.ts';
import type { Db } from '../storage/open.ts';
import { withQuotaRetry } from '../storage/quota.ts';
import type { ClientDeps } from '../deps.ts';
import type { Clock } from '../lib/clock.ts';
import { type Ending, type SyncPosition, readFrames } from './frames.ts';
import { createYieldToVisibleChat } from '../messages/receive/yield-to-visible.ts';
import { loadChatPreviews, waitForChatList } from '../messages/receive/chat-previews.ts';
import { resetCursor, startMailboxReading, storeSyncBatch } from '../messages/receive/receive.ts';
import { callEndpoint } from '../net/http.ts';
import { openFrameSocket, type FrameSocket } from '../net/socket.ts';
import { startPresenceSession } from '../presence/presence-session.ts';

/** How long the server may be silent after a connect or a ping before the socket counts as dead. */
const RESPONSE_TIMEOUT_MS = 15_000;

export interface ConnectionDeps extends ClientDeps {
  keyRing: KeyRing;
  /** Called when messages were stored, still encrypted. */
  onStored: () => void;
}

/** `onOnline` is called once the mailbox has been caught up with. */
export async function runConnection(
  db: Db,
  deps: ConnectionDeps,
  signal: AbortSignal,
  onOnline: () => void,
): Promise<Ending> {
  const frameSocket = openFrameSocket(deps.openSocket, deps.baseUrl);
  const ended = new AbortController();
  const whileConnected = AbortSignal.any([signal, ended.signal]);
  whileConnected.addEventListener('abort', frameSocket.close);
  // The socket belongs to the former device: the next connection uses the new one.
  const stopRenewals = deps.keyRing.onRenew(frameSocket.close);
  try {
    void keepAlive(frameSocket, deps.clock, whileConnected);
    const loading = loadChatPreviews(db, deps, whileConnected).catch((error: unknown) => {
      deps.log('list not loaded', { error });
      return false;
    });
    const [isOpen, session] = await Promise.all([frameSocket.opened, checkSession(deps, whileConnected)]);
    if (session.ending !== undefined) return session.ending;
    return isOpen
      ? await receiveFrames(db, deps, frameSocket, { ...session, loading, signal: whileConnected, onOnline })
      : { t: 'lost' };
  } finally {
    stopRenewals();
    ended.abort();
  }
}

interface ConnectionContext {
  device: DeviceId;
  /** The loading of a new browser's chat list. */
  loading: Promise<boolean>;
  signal: AbortSignal;
  onOnline: () => void;
}

async function receiveFrames(
  db: Db,
  deps: ConnectionDeps,
  frameSocket: FrameSocket,
  context: ConnectionContext,
): Promise<Ending> {
  const { device, loading, signal, onOnline } = context;
  const acker = createAcker((seq) => frameSocket.send({ t: 'ack', seq }), deps.clock, signal);
  const presence = startPresenceSession(db, deps, frameSocket, signal);
  const yieldToVisibleChat = createYieldToVisibleChat(db, deps.clock, signal);
  await deps.keyRing.openDevice(device);
  await waitForChatList(db, deps, loading, signal);
  let position = await resume(db, deps.keyRing, frameSocket, device);
  for (let frames = await frameSocket.receive(); frames !== undefined; frames = await frameSocket.receive()) {
    const result = readFrames(position, frames);
    await presence.handleFrames(frames);
    for (const changes of result.keys) {
      await deps.keyRing.receive(changes);
      frameSocket.send({ t: 'ack_to_device', token: changes.token });
    }
    const { batch } = result;
    if (batch !== undefined) {
      await yieldToVisibleChat();
      await withQuotaRetry(db, deps, () => storeSyncBatch(db, deps.account, batch, deps.clock.now()));
      deps.onStored();
    }
    // Also if nothing is new: the last connection's ack may have been lost with its socket.
    if (result.position.goal !== undefined) acker.ack(result.position.seq);
    if (result.position.goal !== undefined && position.goal === undefined) {
      onOnline();
      presence.start();
      void runUserRefresh(db, deps, signal);
      await writeConnection(db, 'online');
    }
    position = result.position;
    if (result.ending?.t === 'reset') {
      acker.forget();
      await resetCursor(db, result.ending.epoch);
      position = await resume(db, deps.keyRing, frameSocket, device);
    } else if (result.ending !== undefined) {
      return result.ending;
    }
  }
  return { t: 'lost' };
}

async function resume(db: Db, keyRing: KeyRing, frameSocket: FrameSocket, device: DeviceId): Promise<SyncPosition> {
  const toDevice = await keyRing.openDevice(device);
  const syncState = await startMailboxReading(db);
  const cursor = cursorOf(syncState);
  frameSocket.send({ t: 'resume', v: REALTIME_VERSION, cursor, ...(toDevice !== undefined && { toDevice }) });
  return { epoch: syncState.epoch, seq: syncState.seq, rev: syncState.rev };
}

/**
 * Checks that the session is valid and belongs to this account: a browser never says why a handshake failed, and after
 * another tab has signed in to another account, the cookie would bring that account's messages into this database.
 */
async function checkSession(deps: ClientDeps, signal: AbortSignal): Promise<SessionCheck> {
  try {
    const { account, device } = await callEndpoint(deps, getSession, undefined, signal);
    return account === deps.account ? { device } : { ending: SIGNED_OUT };
  } catch (error) {
    const retry = error instanceof AppError ? ERRORS[error.code].retry : 'later';
    if (retry === 'after_reload') return { ending: OUTDATED };
    return { ending: retry === 'after_login' ? SIGNED_OUT : { t: 'lost' } };
  }
}

type SessionCheck = { device: DeviceId; ending?: undefined } | { ending: Ending };

const SIGNED_OUT: Ending = { t: 'bye', reason: 'signed_out', afterMs: 0 };
const OUTDATED: Ending = { t: 'bye', reason: 'version', afterMs: 0 };

/** A dead network causes no event: without pings, a laptop that slept would wait on a dead socket forever. */
async function keepAlive(frameSocket: FrameSocket, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n += 1) {
    const receivedCount = frameSocket.receivedCount();
    if (n > 0) frameSocket.send({ t: 'ping', n });
    await clock.sleep(RESPONSE_TIMEOUT_MS, signal);
    if (frameSocket.receivedCount() === receivedCount) return frameSocket.close();
    await clock.sleep(PING_EVERY_MS - RESPONSE_TIMEOUT_MS, signal);
  }
}
