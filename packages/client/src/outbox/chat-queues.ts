/** Which jobs start now, as pure functions over the state of each chat's queue. */
import { type AppError, type ErrorCode, ERRORS } from '@dostar/protocol/errors';
import type { ChatId } from '@dostar/protocol/ids';
import { type Backoff, backoffMs } from '../lib/backoff.ts';
import type { Job } from '../storage/rows.ts';

/** A chat's queue: one job at a time, messages in the order written (SPEC S8). */
export interface ChatQueue {
  isBusy: boolean;
  /** Failures of the first job since the last success. */
  failures: number;
  notBefore: number;
  /** The server asked to wait until then: a nudge does not end this wait (SPEC B3). */
  askedUntil: number;
  /** When the queue last started a job: the queue that has waited longest goes first. */
  servedAt: number;
  /** The first job waits for a decision of the person; only a nudge ends the wait. */
  isHeld?: boolean;
}

export const IDLE_QUEUE: ChatQueue = { isBusy: false, failures: 0, notBefore: 0, askedUntil: 0, servedAt: 0 };

/** Enough that one slow chat does not delay the others, few enough to leave bandwidth for the screen. */
const MAX_PARALLEL = 6;

const RETRY: Backoff = { firstMs: 1_000, capMs: 60_000 };

export interface JobSelection {
  start: Job[];
  /** How long until a waiting queue may try again; missing if no queue waits for a time. */
  waitMs?: number;
}

/** `nextJobs` contains the next job of each chat. */
export function chooseJobs(
  nextJobs: readonly Job[],
  queues: ReadonlyMap<ChatId, ChatQueue>,
  now: number,
): JobSelection {
  const queueOf = ({ chat }: Job): ChatQueue => queues.get(chat) ?? IDLE_QUEUE;
  const busy = [...queues.values()].filter(({ isBusy }) => isBusy).length;
  const idle = nextJobs.filter((job) => !queueOf(job).isBusy && queueOf(job).isHeld !== true);
  const start = idle
    .filter((job) => queueOf(job).notBefore <= now)
    .toSorted((one, other) => queueOf(one).servedAt - queueOf(other).servedAt || one.pos - other.pos)
    .slice(0, Math.max(0, MAX_PARALLEL - busy));
  const waits = idle.map((job) => queueOf(job).notBefore - now).filter((wait) => wait > 0);
  return waits.length === 0 ? { start } : { start, waitMs: Math.min(...waits) };
}

/** Waits at least as long as the server asks (`retryAfterMs`). */
export function queueAfterFailure(queue: ChatQueue, { details }: AppError, now: number, fraction: number): ChatQueue {
  const askedUntil = now + (typeof details?.retryAfterMs === 'number' ? details.retryAfterMs : 0);
  const notBefore = Math.max(askedUntil, now + backoffMs(RETRY, queue.failures, fraction));
  return { ...queue, isBusy: false, failures: queue.failures + 1, notBefore, askedUntil };
}

/** After a nudge the obstacle may be gone, so the queue retries now. */
export function queueAfterNudge(queue: ChatQueue): ChatQueue {
  return { ...queue, failures: 0, notBefore: queue.askedUntil, isHeld: false };
}

/** From the protocol's table of errors. */
export function retryPolicyOf(code: ErrorCode): (typeof ERRORS)[ErrorCode]['retry'] {
  return ERRORS[code].retry;
}
