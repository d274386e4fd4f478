/** Decrypts messages, and translates the engine's error codes into reasons. */
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { roomOf, userOf } from '@dostar/protocol/matrix-ids';
import type { DecryptedRoomEvent, DecryptionErrorCode, TrustRequirement } from '@matrix-org/matrix-sdk-crypto-wasm';
import { z } from 'zod';
import { fromBase64 } from '../base64.ts';
import type { Engine } from '../engine/engine.ts';
import { ALGORITHM, type Envelope, unpackEnvelope } from './envelope.ts';
import type { KeyMetadataStore, RestoredSession } from '../engine/key-metadata.ts';
import type { TrustStore } from '../../trust/trust-store.ts';
import type { DeviceOwners } from '../devices/device-owners.ts';
import { BYTES_FIELD, EVENT_TYPE, MARK_FIELD } from './seal.ts';
import type { Opened, SealedMessage, Trust } from './sealer.ts';

interface OpenDeps {
  engine: Engine;
  /** Loads the devices of these accounts, as far as the network allows. */
  track(accounts: readonly AccountId[]): Promise<void>;
  keyMetadata: Pick<KeyMetadataStore, 'findRestored'>;
  owners: Pick<DeviceOwners, 'findOwner' | 'findSigned'>;
  trust: TrustStore;
  wasTrusted(account: AccountId, masterKey: string): boolean;
  /** The key of the message is not here; the backup may have it. */
  onMissing(message: SealedMessage, session: string, index: number): void;
  /** The message waits for information about its sender's devices. */
  onUnverifiedSender(sender: AccountId, chat: ChatId, session: string): void;
  /** Another browser of this account wrote the message, and `mark` names the trust list that browser had. */
  onMark(mark: string): Promise<void>;
}

export async function openMessage(deps: OpenDeps, message: SealedMessage): Promise<Opened> {
  const envelope = unpackEnvelope(message.body);
  if (envelope === undefined) return { state: 'refused', reason: 'malformed' };
  await deps.track([message.sender]);
  const tried = await decrypt(deps, message, envelope, deps.engine.library.TrustRequirement.CrossSignedOrLegacy);
  if (typeof tried === 'object' && tried.isAttributed) return holdBack(deps, message, envelope, tried);
  const { UnknownSenderDevice, UnsignedSenderDevice } = deps.engine.library.DecryptionErrorCode;
  const isUnattributed = typeof tried === 'object' || tried === UnknownSenderDevice || tried === UnsignedSenderDevice;
  return isUnattributed ? openUnattributed(deps, message, envelope) : explain(deps, message, envelope, tried);
}

/**
 * Opens a message with a key from the backup, of which the engine does not know the maker. The authenticated backup
 * entry names the key's owner, or the device that made it, which names the owner once that device is known here. Until
 * then the message waits: the key may belong to any account, even one whose key was refused when it arrived.
 */
async function openUnattributed(deps: OpenDeps, message: SealedMessage, envelope: Envelope): Promise<Opened> {
  const { library } = deps.engine;
  const restored = await deps.keyMetadata.findRestored(envelope.session);
  const owner = restored && (await ownerOf(deps, restored));
  if (owner === undefined) return explain(deps, message, envelope, library.DecryptionErrorCode.UnknownSenderDevice);
  if (owner !== message.sender) return { state: 'refused', reason: 'sender' };
  const tried = await decrypt(deps, message, envelope, library.TrustRequirement.Untrusted);
  if (typeof tried !== 'object') return explain(deps, message, envelope, tried);
  const { opened } = tried;
  return opened.state === 'open' && opened.trust !== 'own' ? { ...opened, trust: 'restored' } : opened;
}

async function ownerOf({ owners }: OpenDeps, { owner, senderKey }: RestoredSession): Promise<AccountId | undefined> {
  return owner ?? (senderKey === undefined ? undefined : owners.findOwner(senderKey));
}

/**
 * The engine has authenticated the device; this account's trust list decides about the identity that signed the device.
 * A message of another identity waits until the person accepts that identity.
 */
async function holdBack(
  deps: OpenDeps,
  message: SealedMessage,
  envelope: Envelope,
  { opened, senderKey }: Decrypted,
): Promise<Opened> {
  const { chat, sender } = message;
  if (opened.state !== 'open') return opened;
  if (!deps.trust.isLoaded()) return { state: 'waiting', reason: 'locked' };
  const device = senderKey === undefined ? undefined : await deps.owners.findSigned(senderKey);
  const masters = device?.account === sender ? device.masters : [];
  if (masters.some((master) => deps.wasTrusted(sender, master)))
    return { ...opened, trust: trustOf(deps, sender, masters) };
  deps.onUnverifiedSender(sender, chat, envelope.session);
  return { state: 'waiting', reason: masters.length === 0 ? 'key' : 'identity' };
}

function trustOf({ engine, trust }: OpenDeps, sender: AccountId, masters: readonly string[]): Trust {
  if (sender === engine.account) return 'own';
  const entry = trust.entryOf(sender);
  return entry?.isVerified === true && masters.includes(entry.key ?? '') ? 'verified' : 'known';
}

interface Decrypted {
  opened: Opened;
  /** Whether the engine knows which device sealed the message. */
  isAttributed: boolean;
  senderKey: string | undefined;
}

/** The decrypted message, or the code of the failure. */
async function decrypt(
  { engine, onMark }: OpenDeps,
  message: SealedMessage,
  envelope: Envelope,
  requirement: TrustRequirement,
): Promise<Decrypted | DecryptionErrorCode> {
  const { library, machine } = engine;
  using room = engine.room(message.chat);
  using settings = new library.DecryptionSettings(requirement);
  try {
    using event = await machine.decryptRoomEvent(JSON.stringify(toEvent(message, envelope)), room, settings);
    using shield = event.shieldState(true);
    const isAttributed = shield.code !== library.ShieldStateCode.AuthenticityNotGuaranteed;
    const { opened, mark } = readEvent(engine, message, envelope, event);
    if (message.sender === engine.account && mark !== undefined) await onMark(mark);
    return { opened, isAttributed, senderKey: event.senderCurve25519Key };
  } catch (error) {
    if (!(error instanceof library.MegolmDecryptionError)) throw error;
    const { code } = error;
    error.free();
    return code;
  }
}

function toEvent({ chat, sender, id, at }: SealedMessage, { session, ciphertext }: Envelope): object {
  return {
    type: 'm.room.encrypted',
    event_id: `$${id}`,
    sender: userOf(sender),
    origin_server_ts: at,
    room_id: roomOf(chat),
    content: { algorithm: ALGORITHM, session_id: session, ciphertext },
  };
}

const Event = z.object({
  type: z.literal(EVENT_TYPE),
  content: z.object({ [BYTES_FIELD]: z.string(), [MARK_FIELD]: z.string().max(200).optional() }),
});

function readEvent(
  engine: Engine,
  { sender }: SealedMessage,
  { session, index }: Envelope,
  event: DecryptedRoomEvent,
): { opened: Opened; mark?: string | undefined } {
  const plain = Event.safeParse(JSON.parse(event.event));
  if (!plain.success) return { opened: { state: 'refused', reason: 'malformed' } };
  const { bytes, mark } = plain.data.content;
  const trust = sender === engine.account ? 'own' : 'known';
  return { opened: { state: 'open', content: fromBase64(bytes), trust, session, index }, mark };
}

function explain(
  deps: OpenDeps,
  message: SealedMessage,
  { session, index }: Envelope,
  code: DecryptionErrorCode,
): Opened {
  const { chat, sender } = message;
  const codes = deps.engine.library.DecryptionErrorCode;
  switch (code) {
    case codes.MissingRoomKey:
    case codes.UnknownMessageIndex:
      deps.onMissing(message, session, index);
      return { state: 'waiting', reason: 'key' };
    case codes.UnknownSenderDevice:
    case codes.UnsignedSenderDevice:
      deps.onUnverifiedSender(sender, chat, session);
      return { state: 'waiting', reason: 'key' };
    case codes.SenderIdentityVerificationViolation:
      deps.onUnverifiedSender(sender, chat, session);
      return { state: 'waiting', reason: 'identity' };
    case codes.MismatchedSender:
    case codes.MismatchedIdentityKeys:
      return { state: 'refused', reason: 'sender' };
    case codes.UnableToDecrypt:
      return { state: 'refused', reason: 'malformed' };
  }
}
