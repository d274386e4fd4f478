/** Performs the outbox's jobs: the calls, and their effects on the local database. */
import { decodeContent, padContent } from '@dostar/protocol/content/codec';
import * as contract from '@dostar/protocol/contract/messages';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { shareFiles } from '../attachments/share.ts';
import type { AtRest } from '../storage/at-rest.ts';
import { performContactJob } from '../contacts/contact-jobs.ts';
import { applyPins } from '../contacts/pins.ts';
import type { KeyRing } from '../crypto/key-ring.ts';
import { NO_READER, type Sealed, type Sealer } from '../crypto/sealing/sealer.ts';
import type { Db } from '../storage/open.ts';
import { type EraseJob, Job, messageKey, type MessageRow, type SendJob } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { newMessageId } from '../messages/send/message-id.ts';
import { toBase64Url } from '../net/base64.ts';
import { callEndpoint } from '../net/http.ts';
import { storeSendResult } from '../messages/receive/receive.ts';
import { endJob, messageTables, nextPos, refreshChats } from '../messages/store.ts';
import { reduceStatus } from '../messages/timeline/status.ts';

export interface JobDeps extends ClientDeps {
  atRest: AtRest;
  keyRing: Sealer & Pick<KeyRing, 'pinIdentity' | 'proveErasure'>;
}

type FailDeps = Pick<JobDeps, 'account' | 'clock' | 'random' | 'keyRing'>;

/**
 * The next job of each chat: changes of the contact, then messages in their order, then erasures. A block must not wait
 * behind a message that cannot be encrypted yet, nor a message behind the thousand erasures of a deleted chat. Erasures
 * can wait: the encrypted deletion of a message is sent before its erasure. A row that no longer parses is dropped,
 * because it would block its chat forever.
 */
export async function listNextJobs(db: Db, log: ClientDeps['log']): Promise<Job[]> {
  const chats = await db.outbox.orderBy('chat').uniqueKeys();
  const nextJobs: Job[] = [];
  for (const chat of chats) {
    for (let row = await firstOf(chat); row !== undefined; row = await firstOf(chat)) {
      const job = Job.safeParse(row);
      if (job.success) {
        nextJobs.push(job.data);
        break;
      }
      log('job unreadable', { error: job.error });
      await db.outbox.delete(row.pos);
    }
  }
  return nextJobs;

  async function firstOf(chat: (typeof chats)[number]): Promise<Job | undefined> {
    const decision = await db.outbox.where({ chat, kind: 'contact' }).first();
    const message = decision ?? (await db.outbox.where({ chat, kind: 'send' }).first());
    return message ?? db.outbox.where('chat').equals(chat).first();
  }
}

export async function performJob(db: Db, deps: JobDeps, job: Job, signal: AbortSignal): Promise<void> {
  switch (job.kind) {
    case 'send':
      return performSend(db, deps, job, signal);
    case 'erase': {
      const { id, chat, target, everywhere } = job;
      // The other side gets an encrypted deletion; this account's other browsers check the proof instead.
      const how =
        everywhere === undefined ? { proof: await deps.keyRing.proveErasure({ chat, ...target }) } : { everywhere };
      await callEndpoint(deps, contract.eraseMessage, { id, chat, target, ...how }, signal);
      return endJob(db, job);
    }
    case 'contact':
      return performContactJob(db, deps, job, signal);
  }
}

async function performSend(db: Db, deps: JobDeps, job: SendJob, signal: AbortSignal): Promise<void> {
  await applyPins(db, deps.keyRing);
  const row = await db.messages.get([deps.account, job.id]);
  const sealed = row && (await sealRow(deps, row, job, signal));
  if (sealed === undefined) return endJob(db, job);
  const { id, to, rings } = job;
  const body = { id, to, body: toBase64Url(sealed.body), rings, ...(sealed.devices && { devices: sealed.devices }) };
  const answer = await callEndpoint(deps, contract.sendMessage, body, signal);
  await storeSendResult(db, deps.account, job, answer);
}

/**
 * Encrypts again for every attempt: the devices may have changed. The server keeps the first one that arrived (SPEC
 * S3).
 */
async function sealRow(
  deps: JobDeps,
  row: MessageRow,
  { to, chat }: SendJob,
  signal: AbortSignal,
): Promise<Sealed | undefined> {
  // Another device encrypted it, and the server lost it before this device decrypted it: the body is sent unchanged.
  if (row.content === undefined) return row.body && { body: row.body };
  const plaintext = await deps.atRest.open(messageKey(row), row.content);
  const content = plaintext && padContent(plaintext);
  if (content === undefined) return undefined;
  if (row.kind === 'media' || row.kind === 'voice') {
    const decoded = decodeContent(row, content);
    if (decoded.state === 'known') await shareFiles(deps, to, decoded.content, signal);
  }
  try {
    return await deps.keyRing.seal({ to, chat, content });
  } catch (error) {
    const hasNoReader = error instanceof AppError && error.details?.['reason'] === NO_READER.reason;
    // Only the server knows whether the recipient would refuse the message permanently.
    if (hasNoReader) await callEndpoint(deps, contract.checkRecipient, { to }, signal);
    throw error;
  }
}

/** Called after `stale_devices`: fetches the device lists that the job is encrypted for (SPEC S6). */
export async function refreshDevices(keyRing: Sealer, account: AccountId, job: Job): Promise<void> {
  if (job.kind === 'send') await keyRing.refreshDevices([account, job.to]);
}

/** The server refused the job permanently: the message shows the reason, and the person may retry. */
export async function failJob(db: Db, deps: FailDeps, job: Job, error: AppError): Promise<void> {
  if (job.kind === 'send') await deps.keyRing.dropChatKey(job.chat);
  await db.transaction('rw', messageTables(db), async () => {
    await endJob(db, job);
    if (job.kind === 'erase') return eraseOwnCopy(db, deps, job);
    if (job.kind !== 'send') return;
    const { account } = deps;
    const row = await db.messages.get([account, job.id]);
    if (row === undefined) return;
    const status = reduceStatus(row.status, 'refused');
    if (status === row.status) return;
    await db.messages.put({ ...row, status, error: error.code });
    await refreshChats(db, account, new Map([[row.chat, undefined]]));
  });
}

/**
 * A recipient that blocks this account or is deleted keeps its copy. This account's own copy must be deleted, or the
 * text would return on its other devices. The new job has another id, because the server may have stored the refused
 * one.
 */
async function eraseOwnCopy(db: Db, { clock, random }: FailDeps, { everywhere, ...job }: EraseJob): Promise<void> {
  if (everywhere === undefined) return;
  await db.outbox.add({ ...job, pos: await nextPos(db), id: newMessageId(clock.now(), random) });
}

/** The job waits for a decision of the person; until then the message shows which one. */
export async function holdJob(db: Db, { account }: Pick<ClientDeps, 'account'>, job: Job, error: AppError) {
  await db.transaction('rw', [db.messages], async () => {
    const row = job.kind === 'send' ? await db.messages.get([account, job.id]) : undefined;
    if (row?.status === 'sending' && row.error !== error.code) await db.messages.put({ ...row, error: error.code });
  });
}
