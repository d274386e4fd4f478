/** What the outbox does with a job: the calls, and their traces in the local database. */
import * as contract from '@dostar/protocol/contract/messages';
import type { AppError } from '@dostar/protocol/errors';
import type { Db } from '../db/open.ts';
import { Job, type SendJob } from '../db/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { toBase64Url } from '../net/base64.ts';
import { callEndpoint } from '../net/http.ts';
import { storeAnswer } from './receive.ts';
import { refreshChats } from './store.ts';
import { reduceStatus } from './status.ts';

/** The first job of each chat. A row that no longer parses is dropped: it would block its chat for ever. */
export async function listHeads(db: Db, log: ClientDeps['log']): Promise<Job[]> {
  const chats = await db.outbox.orderBy('chat').uniqueKeys();
  const heads: Job[] = [];
  for (const chat of chats) {
    for (let row = await firstOf(chat); row !== undefined; row = await firstOf(chat)) {
      const job = Job.safeParse(row);
      if (job.success) {
        heads.push(job.data);
        break;
      }
      log('job unreadable', { error: job.error });
      await db.outbox.delete(row.pos);
    }
  }
  return heads;

  function firstOf(chat: (typeof chats)[number]): Promise<Job | undefined> {
    return db.outbox.where('chat').equals(chat).first();
  }
}

export async function performJob(db: Db, deps: ClientDeps, job: Job, signal: AbortSignal): Promise<void> {
  switch (job.kind) {
    case 'send':
      return performSend(db, deps, job, signal);
    case 'erase': {
      const { id, chat, target, everywhere } = job;
      const body = { id, chat, target, ...(everywhere !== undefined && { everywhere }) };
      await callEndpoint(deps, contract.eraseMessage, body, signal);
      await db.outbox.delete(job.pos);
    }
  }
}

async function performSend(db: Db, deps: ClientDeps, job: SendJob, signal: AbortSignal): Promise<void> {
  const row = await db.messages.get([deps.account, job.id]);
  if (row?.body === undefined) {
    await db.outbox.delete(job.pos);
    return;
  }
  const { id, to, rings } = job;
  const body = { id, to, body: toBase64Url(row.body), rings };
  const answer = await callEndpoint(deps, contract.sendMessage, body, signal);
  await storeAnswer(db, deps.account, job, answer);
}

/** Refused for good: the person sees it on the message, with the reason, and may retry. */
export async function failJob(db: Db, { account }: Pick<ClientDeps, 'account'>, job: Job, error: AppError) {
  await db.transaction('rw', [db.messages, db.outbox, db.chats], async () => {
    await db.outbox.delete(job.pos);
    if (job.kind !== 'send') return;
    const row = await db.messages.get([account, job.id]);
    if (row === undefined) return;
    const status = reduceStatus(row.status, 'refused');
    if (status === row.status) return;
    await db.messages.put({ ...row, status, error: error.code });
    await refreshChats(db, new Map([[row.chat, undefined]]));
  });
}
