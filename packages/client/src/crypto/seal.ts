/** Seals a message for every device of both accounts. */
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { z } from 'zod';
import { toBase64 } from './base64.ts';
import { type Courier, LISTS } from './courier.ts';
import type { Defences } from './defences.ts';
import type { Engine } from './engine.ts';
import { packEnvelope } from './envelope.ts';
import { requireIdentity } from './identities.ts';
import type { Mutex } from '../mutex.ts';
import type { DeviceRevisions, SealDraft, Sealed } from './sealer.ts';

/** Inside the engine's message: what kind of event it is to the engine, and where our bytes stand in it. */
export const EVENT_TYPE = 'dostar.mail';
export const BYTES_FIELD = 'bytes';

interface SealDeps {
  engine: Engine;
  courier: Courier;
  mutex: Mutex;
  defences: Defences;
  /** After sealing and before sending: a place in the stream of keys that is used twice is a replay to everybody. */
  persist(): Promise<void>;
  track(accounts: readonly AccountId[]): Promise<void>;
  revisionOf(account: AccountId): number | undefined;
}

export async function sealMessage(deps: SealDeps, draft: SealDraft): Promise<Sealed> {
  // Two first sends at once would each make keys and claim them of every device; the claims are locked by themselves.
  return deps.defences.sealLocks
    ? deps.mutex.run(`seal/${draft.chat}`, () => sealOne(deps, draft))
    : sealOne(deps, draft);
}

async function sealOne(deps: SealDeps, { to, chat, content }: SealDraft): Promise<Sealed> {
  const { engine, courier, defences } = deps;
  const { machine } = engine;
  const members = [engine.account, to];
  await deps.track(members);
  await courier.flushQueries();
  await requireIdentity(deps, to);
  // Read before sharing: if a list changes in between, the message names the older one and is refused, never too new.
  const devices = await knowRevisions(deps, to);
  await courier.claim(members);
  await shareKey(deps, { to, chat });
  // Only after sharing: without a key to seal with, the engine's promise would never settle.
  using room = engine.room(chat);
  const text = JSON.stringify({ [BYTES_FIELD]: toBase64(content) });
  const { session_id: session, ciphertext } = Encrypted.parse(
    JSON.parse(await machine.encryptRoomEvent(room, EVENT_TYPE, text)),
  );
  await deps.persist();
  const body = packEnvelope({ session, ciphertext });
  return defences.deviceRevisions ? { body, devices } : { body };
}

const Encrypted = z.object({ session_id: z.string(), ciphertext: z.string() });

async function shareKey({ engine, courier, mutex, defences }: SealDeps, { to, chat }: Pick<SealDraft, 'to' | 'chat'>) {
  const { library, machine } = engine;
  using settings = new library.EncryptionSettings();
  settings.sharingStrategy = defences.signedDevicesOnly
    ? library.CollectStrategy.identityBasedStrategy()
    : library.CollectStrategy.allDevices();
  using room = engine.room(chat);
  const requests = await mutex.run(LISTS, () =>
    machine.shareRoomKey(room, engine.users([engine.account, to]), settings),
  );
  for (const request of requests) await courier.send(request);
}

async function knowRevisions({ engine, courier, revisionOf }: SealDeps, to: AccountId): Promise<DeviceRevisions> {
  const missing = [engine.account, to].filter((account) => revisionOf(account) === undefined);
  if (missing.length > 0) await courier.query(missing);
  const [own, peer] = [revisionOf(engine.account), revisionOf(to)];
  if (own === undefined || peer === undefined) throw new AppError('unavailable');
  return { own, peer };
}
