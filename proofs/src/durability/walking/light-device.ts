/**
 * A device written from SPEC.md alone, without a database. It keeps one send per chat in flight and repeats it under
 * its id until it is answered (S2, S8), resumes with its cursor (C1), and ends the connection if a number is out of
 * order (R2).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Socket } from '@dostar/client';
import { CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { sendMessage } from '@dostar/protocol/contract/messages';
import { isErrorCode, ERRORS } from '@dostar/protocol/errors';
import { type AccountId, type ChatId, directChat, type MessageId } from '@dostar/protocol/ids';
import type { Cursor } from '@dostar/protocol/mailbox';
import { type ClientFrame, PING_EVERY_MS, REALTIME_VERSION, ServerFrame } from '@dostar/protocol/realtime';
import type { Device, ShownMessage } from './device.ts';
import type { Person } from './accounts.ts';
import { decodeProbe, encodeProbe, type Probe } from './probe.ts';
import { createUnreliableNetwork, type NetworkOptions } from './device-network.ts';

const ACK_EVERY_MS = 250;
const RETRY_WITHIN_MS = 1_000;
const RECONNECT_WITHIN_MS = 500;

export function startLightDevice(person: Person, networkOptions: NetworkOptions): Device {
  const { account } = person;
  const network = createUnreliableNetwork(person, networkOptions);
  const log = new Map<ChatId, ShownMessage[]>();
  const outboxes = new Map<AccountId, Promise<void>>();
  let cursor: Cursor | null = null;
  let acked = 0;
  let socket: Socket | undefined;
  let isOnline = false;

  connect();
  setInterval(() => say({ t: 'ping', n: 1 }), PING_EVERY_MS);
  setInterval(() => {
    if (cursor === null || cursor.seq === acked) return;
    acked = cursor.seq;
    say({ t: 'ack', seq: acked });
  }, ACK_EVERY_MS);

  return {
    account,
    isOnline: () => isOnline,
    async write(to, probe) {
      outboxes.set(
        to,
        (outboxes.get(to) ?? Promise.resolve()).then(() => send(to, probe)),
      );
    },
    async readChat(peer) {
      return log.get(directChat(account, peer)) ?? [];
    },
  };

  async function send(to: AccountId, probe: Probe): Promise<void> {
    const head = { id: crypto.randomUUID() as MessageId, chat: directChat(account, to), sender: account };
    const call = JSON.stringify({ id: head.id, to, body: encodeProbe(head, probe) });
    while (!(await offer(call))) await sleep(Math.random() * RETRY_WITHIN_MS);
  }

  /** Returns whether the message got a final answer. An error that the table marks for retry counts as no answer. */
  async function offer(body: string): Promise<boolean> {
    try {
      const headers = { [CALL_HEADER]: '1', 'content-type': 'application/json' };
      const response = await network.fetch(new URL(sendMessage.path, networkOptions.origin), {
        method: 'POST',
        headers,
        body,
      });
      const answer = (await response.json()) as { error?: unknown };
      if (response.ok) return sendMessage.reply.safeParse(answer).success;
      if (!isErrorCode(answer.error) || ERRORS[answer.error].retry === 'later') return false;
      throw new Error(`refused: ${answer.error}`);
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return false;
      throw error;
    }
  }

  function connect(): void {
    let ending = 'lost';
    let afterMs = 0;
    socket = network.openSocket(networkOptions.origin, {
      onOpen: () => say({ t: 'resume', v: REALTIME_VERSION, cursor }),
      onText(text) {
        const frame = ServerFrame.parse(JSON.parse(text));
        if (frame.t === 'bye') ({ reason: ending, afterMs } = frame);
        else if (hear(frame)) return;
        else ending = 'protocol';
        socket?.close();
      },
      onClose() {
        isOnline = false;
        networkOptions.ledger.end(ending);
        setTimeout(connect, Math.max(afterMs, Math.random() * RECONNECT_WITHIN_MS));
      },
    });
  }

  /** Returns false if the frame is out of order. */
  function hear(frame: ServerFrame): boolean {
    switch (frame.t) {
      case 'resumed':
        if (cursor !== null && cursor.epoch !== frame.cursor.epoch) return false;
        cursor ??= { epoch: frame.cursor.epoch, seq: 0, rev: 0 };
        isOnline = true;
        return true;
      case 'entry': {
        if (cursor === null || frame.entry.seq !== cursor.seq + 1 || frame.entry.kind !== 'mail') return false;
        cursor = { ...cursor, seq: frame.entry.seq };
        const { chat, sender, body = '' } = frame.entry;
        log.set(chat, [...(log.get(chat) ?? []), { sender, number: decodeProbe(body).number, isSent: true }]);
        return true;
      }
      case 'registers':
        if (cursor !== null) cursor = { ...cursor, rev: Math.max(cursor.rev, frame.rev) };
        return cursor !== null;
      case 'register':
      case 'to_device':
      case 'ephemeral':
      case 'pong':
        return true;
      case 'reset':
      case 'bye':
        return false;
    }
  }

  function say(frame: ClientFrame): void {
    if (isOnline || frame.t === 'resume') socket?.send(JSON.stringify(frame));
  }
}
