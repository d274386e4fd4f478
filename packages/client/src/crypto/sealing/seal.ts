/** Encrypts a message for every device of both accounts. */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { z } from 'zod';
import { toBase64 } from '../base64.ts';
import { type RequestSender, DEVICE_LISTS_LOCK } from '../engine/request-sender.ts';
import type { Engine } from '../engine/engine.ts';
import { packEnvelope } from './envelope.ts';
import { readMasterKey } from '../devices/identities.ts';
import type { Mutex } from '../../lib/mutex.ts';
import { type DeviceRevisions, type Identity, NO_READER, type MessageToSeal, type Sealed } from './sealer.ts';
import { listSignedDevices, shareKey } from './share-key.ts';

/** The event type inside the engine's message, and the field that contains our bytes. */
export const EVENT_TYPE = 'dostar.mail';
export const BYTES_FIELD = 'bytes';
/** Tells the account's other browsers which trust list this browser had. */
export const MARK_FIELD = 'mark';

interface SealDeps {
  engine: Engine;
  requestSender: RequestSender;
  mutex: Mutex;
  /**
   * Called between encrypting and sending: a message index that is used twice looks like a replay to every recipient.
   */
  persist(): Promise<void>;
  track(accounts: readonly AccountId[]): Promise<void>;
  revisionOf(account: AccountId): number | undefined;
  identityOf(account: AccountId): Promise<Identity>;
  /** The master key of this account's own identity, from the vault. */
  ownMasterKey(): string | undefined;
  makeMark(): Promise<string | undefined>;
}

export async function sealMessage(deps: SealDeps, message: MessageToSeal): Promise<Sealed> {
  // Two parallel first messages would each make a key and claim one-time keys of every device.
  return deps.mutex.run(`seal/${message.chat}`, () => sealOne(deps, message));
}

export async function dropChatKey(
  { engine, mutex, persist }: Pick<SealDeps, 'engine' | 'mutex' | 'persist'>,
  chat: ChatId,
): Promise<void> {
  await mutex.run(`seal/${chat}`, async () => {
    using room = engine.room(chat);
    await engine.machine.invalidateGroupSession(room);
    await persist();
  });
}

async function sealOne(deps: SealDeps, { to, chat, content }: MessageToSeal): Promise<Sealed> {
  const { engine, requestSender } = deps;
  const { machine } = engine;
  const members = [engine.account, to];
  await deps.track(members);
  await requestSender.flushQueries();
  await requireReader(deps, to);
  // Read before sharing the key: if a list changes in between, the message names the older list and the server refuses
  // it.
  const devices = await knowRevisions(deps, to);
  await requestSender.claim(members);
  await shareTrusted(deps, { to, chat });
  // Only after sharing: without a key, the engine's promise would never settle.
  using room = engine.room(chat);
  const mark = await deps.makeMark();
  const text = JSON.stringify({ [BYTES_FIELD]: toBase64(content), ...(mark !== undefined && { [MARK_FIELD]: mark }) });
  const { session_id: session, ciphertext } = Encrypted.parse(
    JSON.parse(await machine.encryptRoomEvent(room, EVENT_TYPE, text)),
  );
  await deps.persist();
  const body = packEnvelope({ session, ciphertext });
  return { body, devices };
}

const Encrypted = z.object({ session_id: z.string(), ciphertext: z.string() });

/**
 * Checks the identity and shares the key under one lock, which key query answers also take, so no other identity can
 * slip in between. Nothing here waits for the network.
 */
async function shareTrusted(deps: SealDeps, { to, chat }: Pick<MessageToSeal, 'to' | 'chat'>): Promise<void> {
  const { engine, mutex, requestSender } = deps;
  const requests = await mutex.run(DEVICE_LISTS_LOCK, async () => {
    await requireTrusted(deps, to);
    const shared = await shareKey(engine, { members: [engine.account, to], chat });
    try {
      await requireTrusted(deps, to);
    } catch (error) {
      using room = engine.room(chat);
      await engine.machine.invalidateGroupSession(room);
      throw error;
    }
    return shared;
  });
  for (const request of requests) await requestSender.send(request);
}

/** Throws `identity_changed` if this account does not trust the other's present identity. */
async function requireUnchanged({ identityOf }: SealDeps, account: AccountId): Promise<void> {
  const identity = await identityOf(account);
  if (identity === 'changed' || identity === 'withdrawn') throw new AppError('identity_changed');
}

/** Like `requireUnchanged`, and throws `unavailable` if the server names another identity for this account itself. */
async function requireTrusted(deps: SealDeps, to: AccountId): Promise<void> {
  const { engine, ownMasterKey } = deps;
  await requireUnchanged(deps, to);
  // The devices of another identity would get the chat's keys.
  if ((await readMasterKey(engine, engine.account)) !== ownMasterKey()) throw new AppError('unavailable');
}

/** Throws `identity_changed`, or `unavailable` while no device of the account could read a message. */
async function requireReader(deps: SealDeps, account: AccountId): Promise<void> {
  let canRead = await hasReader(deps, account);
  if (!canRead) {
    // The last answer may be from before they became a contact, or while they were signing their first device.
    await deps.requestSender.query([account]);
    canRead = await hasReader(deps, account);
  }
  await requireUnchanged(deps, account);
  // They have never opened the app, or are signing their first device, or this account is not their contact: no device
  // could ever read the message.
  if (!canRead) throw new AppError('unavailable', NO_READER);
}

/** Waits for the lock while former devices are listed as present: a message would be encrypted for those alone. */
async function hasReader({ engine, mutex }: SealDeps, account: AccountId): Promise<boolean> {
  return mutex.run(DEVICE_LISTS_LOCK, async () => (await listSignedDevices(engine, account)).size > 0);
}

async function knowRevisions({ engine, requestSender, revisionOf }: SealDeps, to: AccountId): Promise<DeviceRevisions> {
  const missing = [engine.account, to].filter((account) => revisionOf(account) === undefined);
  if (missing.length > 0) await requestSender.query(missing);
  const [own, peer] = [revisionOf(engine.account), revisionOf(to)];
  if (own === undefined || peer === undefined) throw new AppError('unavailable');
  return { own, peer };
}
