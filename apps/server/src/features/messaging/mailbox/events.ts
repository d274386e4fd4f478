/**
 * Events of an account on the bus: a first line for the gateway, then the frame for the client's socket, ready to be
 * passed on unread.
 */
import type { AccountId } from '@dostar/protocol/ids';
import type { Entry, Register } from '@dostar/protocol/mailbox';
import type { Ephemeral, ServerFrame } from '@dostar/protocol/realtime';

export type AccountEvent =
  | { kind: 'entry'; epoch: number; seq: number; toDevice: number; frame: string }
  | { kind: 'register'; epoch: number; rev: number; frame: string }
  | { kind: 'to_device'; epoch: number; upTo: number }
  | { kind: 'key_counts'; device: string }
  | { kind: 'ephemeral'; frame: string }
  | { kind: 'session_ended'; session: string };

export function accountSubject(account: AccountId): string {
  return `account.${account}`;
}

/** `toDevice`: to-device messages up to this number have to reach a device before this entry. */
export function entryEvent(epoch: number, toDevice: number, entry: Entry): string {
  return `entry ${epoch} ${entry.seq} ${toDevice}\n${frame({ t: 'entry', entry })}`;
}

export function registerEvent(epoch: number, register: Register): string {
  return `register ${epoch} ${register.rev}\n${frame({ t: 'register', register })}`;
}

export function toDeviceEvent(epoch: number, upTo: number): string {
  return `to_device ${epoch} ${upTo}\n`;
}

export function keyCountsEvent(device: string): string {
  return `key_counts ${device}\n`;
}

export function ephemeralEvent(event: Ephemeral): string {
  return `ephemeral\n${frame({ t: 'ephemeral', event })}`;
}

export function sessionEndedEvent(session: string): string {
  return `session_ended ${session}\n`;
}

/** Undefined for an unknown event, such as one of a newer version. */
export function readEvent(payload: string): AccountEvent | undefined {
  const cut = payload.indexOf('\n');
  const [kind, first, second, third] = payload.slice(0, cut).split(' ');
  const rest = payload.slice(cut + 1);
  switch (kind) {
    case 'entry':
      return { kind, epoch: Number(first), seq: Number(second), toDevice: Number(third), frame: rest };
    case 'register':
      return { kind, epoch: Number(first), rev: Number(second), frame: rest };
    case 'to_device':
      return { kind, epoch: Number(first), upTo: Number(second) };
    case 'key_counts':
      return { kind, device: first ?? '' };
    case 'ephemeral':
      return { kind, frame: rest };
    case 'session_ended':
      return { kind, session: first ?? '' };
    case undefined:
    default:
      return undefined;
  }
}

export function frame(content: ServerFrame): string {
  return JSON.stringify(content);
}
