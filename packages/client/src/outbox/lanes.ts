/** Which jobs start now, as pure functions over what is known of each chat's lane. */
import { type AppError, type ErrorCode, ERRORS } from '@dostar/protocol/errors';
import type { ChatId } from '@dostar/protocol/ids';
import { type Backoff, backoffMs } from '../lib/backoff.ts';
import type { Job } from '../storage/rows.ts';

/** A chat's lane: one job at a time, messages in the order written (SPEC S8). */
export interface Lane {
  isBusy: boolean;
  /** Failures of the job at its head, since the last success. */
  failures: number;
  notBefore: number;
  /** The server has said so: no nudge cuts this wait short (SPEC B3). */
  askedUntil: number;
  /** When it last started a job: those that have waited longest go first. */
  servedAt: number;
  /** Nothing but a nudge moves it: the person has to decide something first. */
  isHeld?: boolean;
}

export const IDLE_LANE: Lane = { isBusy: false, failures: 0, notBefore: 0, askedUntil: 0, servedAt: 0 };

/** Enough to hide one slow chat from the others, few enough to leave the network to the screen. */
const MAX_PARALLEL = 6;

const RETRY: Backoff = { firstMs: 1_000, capMs: 60_000 };

export interface Choice {
  start: Job[];
  /** How long until a lane that waits may try again; missing when only an event can change anything. */
  waitMs?: number;
}

/** `heads` holds the next job of each chat. */
export function chooseJobs(heads: readonly Job[], lanes: ReadonlyMap<ChatId, Lane>, now: number): Choice {
  const laneOf = ({ chat }: Job): Lane => lanes.get(chat) ?? IDLE_LANE;
  const busy = [...lanes.values()].filter(({ isBusy }) => isBusy).length;
  const idle = heads.filter((job) => !laneOf(job).isBusy && laneOf(job).isHeld !== true);
  const start = idle
    .filter((job) => laneOf(job).notBefore <= now)
    .toSorted((one, other) => laneOf(one).servedAt - laneOf(other).servedAt || one.pos - other.pos)
    .slice(0, Math.max(0, MAX_PARALLEL - busy));
  const waits = idle.map((job) => laneOf(job).notBefore - now).filter((wait) => wait > 0);
  return waits.length === 0 ? { start } : { start, waitMs: Math.min(...waits) };
}

/** A server that says when to come back (`retryAfterMs`) is not asked before. */
export function laneAfterFailure(lane: Lane, { details }: AppError, now: number, fraction: number): Lane {
  const askedUntil = now + (typeof details?.retryAfterMs === 'number' ? details.retryAfterMs : 0);
  const notBefore = Math.max(askedUntil, now + backoffMs(RETRY, lane.failures, fraction));
  return { ...lane, isBusy: false, failures: lane.failures + 1, notBefore, askedUntil };
}

/** Whatever was in the way may have gone. */
export function laneAfterNudge(lane: Lane): Lane {
  return { ...lane, failures: 0, notBefore: lane.askedUntil, isHeld: false };
}

/** The protocol's table decides; the outbox has no opinion of its own. */
export function verdictOf(code: ErrorCode): (typeof ERRORS)[ErrorCode]['retry'] {
  return ERRORS[code].retry;
}
