/**
 * Interprets the server's frames, as a pure function: no socket, no database, no clock.
 *
 * It enforces the protocol: `resumed` first, then entries without a gap (SPEC R2). Entries are deduplicated by number
 * (SPEC R3); any other frame out of place ends the connection, and the next one resumes from the cursor.
 */
import type { ByeReason } from '@dostar/protocol/realtime';
import type { KeyChanges } from '../crypto/key-ring.ts';
import type { SyncBatch } from '../messages/receive/receive.ts';
import type { Received } from '../net/socket.ts';

/** State of a connection. `goal` and `revGoal` are the mailbox's ends as `resumed` named them; missing until then. */
export interface SyncPosition {
  epoch: number;
  seq: number;
  rev: number;
  goal?: number;
  revGoal?: number;
}

export type Ending =
  | { t: 'bye'; reason: ByeReason; afterMs: number }
  /** Only this reading ends; the next one uses the same socket. */
  | { t: 'reset'; epoch: number }
  /** The server broke the protocol. */
  | { t: 'protocol' }
  /** The socket closed, became silent, or never opened. */
  | { t: 'lost' };

export interface FrameResult {
  position: SyncPosition;
  /** For the engine, which gets them before the batch is stored. */
  keys: KeyChanges[];
  /** To be stored before anything else; missing if there is nothing to store. */
  batch?: SyncBatch;
  ending?: Ending;
}

export function readFrames(from: SyncPosition, frames: Received[]): FrameResult {
  const position = { ...from };
  const entries: SyncBatch['entries'] = [];
  const registers: SyncBatch['registers'] = [];
  const keys: KeyChanges[] = [];
  let ending: Ending | undefined;
  for (const frame of frames) {
    ending = readFrame(frame);
    if (ending !== undefined) break;
  }
  const { epoch, seq, rev, goal } = position;
  const hasChanges = entries.length > 0 || registers.length > 0 || rev !== from.rev || goal !== from.goal;
  return {
    position,
    keys,
    ...(hasChanges && {
      batch: {
        entries,
        registers,
        epoch,
        seq,
        rev,
        isCaughtUp: seq >= (goal ?? Infinity),
        isLive: from.rev >= (from.revGoal ?? Infinity),
      },
    }),
    ...(ending !== undefined && { ending }),
  };

  function readFrame(frame: Received): Ending | undefined {
    switch (frame.t) {
      case 'reset':
        return { t: 'reset', epoch: frame.epoch };
      case 'bye':
        return { t: 'bye', reason: frame.reason, afterMs: frame.afterMs };
      case 'resumed': {
        const isFresh = position.seq === 0 && position.rev === 0;
        const { epoch: newEpoch, seq: newGoal, rev: newRevGoal } = frame.cursor;
        if (position.goal !== undefined || (!isFresh && newEpoch !== position.epoch)) return { t: 'protocol' };
        position.epoch = newEpoch;
        position.goal = newGoal;
        position.revGoal = newRevGoal;
        return undefined;
      }
      case 'entry':
        if (position.goal === undefined || frame.entry.seq > position.seq + 1) return { t: 'protocol' };
        if (frame.entry.seq <= position.seq) return undefined;
        position.seq = frame.entry.seq;
        entries.push(frame.entry);
        return undefined;
      case 'register':
        if (position.goal === undefined) return { t: 'protocol' };
        registers.push(frame.register);
        return undefined;
      case 'registers':
        if (position.goal === undefined) return { t: 'protocol' };
        position.rev = Math.max(position.rev, frame.rev);
        return undefined;
      case 'unreadable':
        return { t: 'protocol' };
      case 'to_device': {
        if (position.goal === undefined) return { t: 'protocol' };
        const { t: _, ...changes } = frame;
        keys.push(changes);
        return undefined;
      }
      case 'ephemeral':
      case 'pong':
        return undefined;
    }
  }
}
