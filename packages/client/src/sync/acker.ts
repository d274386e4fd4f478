import type { Clock } from '../lib/clock.ts';

/** The gateway gathers acks for two seconds anyway, and closes a socket that sends too many frames. */
const ACK_EVERY_MS = 250;

/**
 * Acks how far this device has stored: at once after a quiet time, otherwise the newest number a few times a second.
 */
export interface Acker {
  ack(seq: number): void;
  /** Called when numbers start again: an older number would ack messages that the server never sent. */
  forget(): void;
}

export function createAcker(send: (seq: number) => void, clock: Clock, signal: AbortSignal): Acker {
  let stored = 0;
  let sent = 0;
  let isQuiet = true;

  async function catchUp(): Promise<void> {
    isQuiet = false;
    while (sent < stored && !signal.aborted) {
      sent = stored;
      send(sent);
      await clock.sleep(ACK_EVERY_MS, signal);
    }
    isQuiet = true;
  }

  return {
    ack(seq) {
      stored = seq;
      if (isQuiet) void catchUp();
    },
    forget() {
      stored = 0;
      sent = 0;
    },
  };
}
