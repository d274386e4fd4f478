/**
 * Sends this device's jobs to the server.
 *
 * Contract: one job at a time per chat, messages in the order written (SPEC S8), chats in parallel. A job leaves the outbox
 * only after a final answer of the server. A job in flight is a row like any other: after a crash it is sent again under
 * its id, which is harmless (SPEC S2).
 *
 * Elsewhere: which job is next (chat-queues.ts); what a job does (jobs.ts).
 */
import { AppError } from '@dostar/protocol/errors';
import type { ChatId } from '@dostar/protocol/ids';
import type { Wakeup } from '../lib/wakeup.ts';
import type { Job } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { randomFraction } from '../lib/backoff.ts';
import {
  chooseJobs,
  IDLE_QUEUE,
  type ChatQueue,
  queueAfterFailure,
  queueAfterNudge,
  retryPolicyOf,
} from './chat-queues.ts';

export interface OutboxDeps extends Pick<ClientDeps, 'clock' | 'random' | 'log'> {
  /** Triggered when this tab or another may have added a job; the outbox triggers it itself when a job ends. */
  wakeup: Wakeup;
  /**
   * Counts nudges: the times when an obstacle may be gone, such as signed in again or back online. Each also triggers.
   */
  countNudges(): number;
  /** The next job of each chat. */
  listNextJobs(): Promise<Job[]>;
  /** Performs and removes the job, or throws an AppError. */
  perform(job: Job, signal: AbortSignal): Promise<void>;
  /** Called after `stale_devices`, before the job is retried (SPEC S6). */
  refreshDevices(job: Job): Promise<void>;
  /** Removes the job permanently and shows the reason. */
  fail(job: Job, error: AppError): Promise<void>;
  /** Shows which decision the job waits for. */
  hold(job: Job, error: AppError): Promise<void>;
}

/** Runs until the signal is aborted, and returns when no job is in flight any more. */
export async function drainOutbox(deps: OutboxDeps, signal: AbortSignal): Promise<void> {
  const { wakeup, clock, random, log } = deps;
  const queues = new Map<ChatId, ChatQueue>();
  const running = new Set<Promise<void>>();
  let nudges = deps.countNudges();
  let isPaused = false;

  while (!signal.aborted) {
    const seen = wakeup.generation();
    takeNudge();
    const nextJobs = isPaused ? [] : await listNextJobs();
    const { start, waitMs } = chooseJobs(nextJobs, queues, clock.now());
    for (const job of start) launch(job);
    await wakeup.wait(seen, waitMs);
  }
  await Promise.all(running);

  function takeNudge(): void {
    if (deps.countNudges() === nudges) return;
    nudges = deps.countNudges();
    isPaused = false;
    for (const [chat, queue] of queues) queues.set(chat, queueAfterNudge(queue));
  }

  function launch(job: Job): void {
    queues.set(job.chat, { ...queueOf(job), isBusy: true, servedAt: clock.now() });
    const run = attempt(job).finally(() => {
      running.delete(run);
      wakeup.trigger();
    });
    running.add(run);
  }

  async function attempt(job: Job): Promise<void> {
    const nudgesAtStart = deps.countNudges();
    try {
      await deps.perform(job, signal);
      queues.set(job.chat, { ...queueOf(job), isBusy: false, failures: 0 });
    } catch (error) {
      const failure = error instanceof AppError ? error : new AppError('internal', undefined, { cause: error });
      const isFinal = await settle(job, failure, nudgesAtStart);
      // If the person has decided meanwhile, the job is retried at once.
      const isHeld = retryPolicyOf(failure.code) === 'after_acceptance' && deps.countNudges() === nudgesAtStart;
      const queue = queueOf(job);
      queues.set(
        job.chat,
        isFinal ? { ...queue, isBusy: false, failures: 0 } : { ...waitAgain(queue, failure), isHeld },
      );
    }
  }

  /** Handles a failure by its retry policy. Returns whether the job was removed. */
  async function settle(job: Job, error: AppError, nudgesAtStart: number): Promise<boolean> {
    if (signal.aborted) return false;
    log('job not done', { kind: job.kind, code: error.code });
    try {
      switch (retryPolicyOf(error.code)) {
        case 'never':
          await deps.fail(job, error);
          return true;
        case 'after_key_refresh':
          await deps.refreshDevices(job);
          return false;
        case 'after_acceptance':
          await deps.hold(job, error);
          return false;
        case 'after_login':
        case 'after_reload':
          // If the person has signed in meanwhile, the outbox continues.
          isPaused = deps.countNudges() === nudgesAtStart;
          return false;
        case 'later':
          return false;
      }
    } catch (cause) {
      log('job not settled', { kind: job.kind, cause });
      return false;
    }
  }

  async function listNextJobs(): Promise<Job[]> {
    try {
      return await deps.listNextJobs();
    } catch (error) {
      // The database is being closed or upgraded; the next wakeup looks again.
      log('outbox not read', { error });
      return [];
    }
  }

  function waitAgain(queue: ChatQueue, error: AppError): ChatQueue {
    return queueAfterFailure(queue, error, clock.now(), randomFraction(random));
  }

  function queueOf({ chat }: Job): ChatQueue {
    return queues.get(chat) ?? IDLE_QUEUE;
  }
}
