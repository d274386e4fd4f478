/** A device on `/realtime` that parses only the number, sender and id at the start of each entry. */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { SESSION_COOKIE } from '@dostar/protocol/contract/sessions';
import { PING_EVERY_MS, REALTIME_PATH, REALTIME_VERSION } from '@dostar/protocol/realtime';
import type { Listener, LoadSetup } from './messages.ts';

export interface Seen {
  owner: string;
  sender: string;
  id: string;
  isNext: boolean;
}

const ENTRY = '{"t":"entry","entry":{"seq":';
const SENDER = '"sender":"';
const ID = '"id":"';
const UUID_LENGTH = 36;
const HEAD_LENGTH = 160;
const PING = 0x09;
const TEXT = 0x01;

/** Resolves once the gateway has answered `resume`: from then on every entry arrives by itself. */
export async function listen(setup: LoadSetup, person: Listener, note: (seen: Seen) => void): Promise<void> {
  const socket = connect({ port: setup.gatewayPort, host: '127.0.0.1', noDelay: true });
  let lastSeq = person.cursor.seq;
  let rest: Buffer = Buffer.alloc(0);
  let isOpen = false;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on('error', reject);
  socket.on('close', () => process.exit(4));
  socket.on('data', (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
    if (!isOpen && !shakeHands()) return;
    rest = rest.subarray(readFrames(rest, hear));
  });
  socket.write(
    [
      `GET ${REALTIME_PATH} HTTP/1.1`,
      'host: proof',
      'connection: Upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
      `origin: ${setup.origin}`,
      `cookie: ${SESSION_COOKIE}=${person.token}`,
      '\r\n',
    ].join('\r\n'),
  );
  return promise;

  function shakeHands(): boolean {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const status = rest.toString('latin1', 9, 12);
    if (status !== '101') reject(new Error(`the gateway answered ${status}`));
    rest = rest.subarray(end + 4);
    isOpen = true;
    socket.write(maskedText(JSON.stringify({ t: 'resume', v: REALTIME_VERSION, cursor: person.cursor })));
    setInterval(() => socket.write(maskedText('{"t":"ping","n":1}')), PING_EVERY_MS);
    return true;
  }

  function hear(opcode: number, frame: Buffer): void {
    if (opcode === PING) return;
    if (opcode !== TEXT) reject(new Error('the gateway closed the socket'));
    const head = frame.toString('latin1', 0, HEAD_LENGTH);
    if (!head.startsWith(ENTRY)) {
      const answer = JSON.parse(frame.toString()) as { t: string };
      if (answer.t === 'resumed') resolve();
      return;
    }
    const seq = Number.parseInt(head.slice(ENTRY.length), 10);
    const sender = valueAfter(head, SENDER);
    note({ owner: person.account, sender, id: valueAfter(head, ID), isNext: seq === lastSeq + 1 });
    lastSeq = seq;
  }
}

function valueAfter(head: string, key: string): string {
  const from = head.indexOf(key) + key.length;
  return head.slice(from, from + UUID_LENGTH);
}

/** Calls `hear` for every whole frame and returns how many bytes they took. */
function readFrames(bytes: Buffer, hear: (opcode: number, frame: Buffer) => void): number {
  let at = 0;
  for (;;) {
    if (bytes.length < at + 2) return at;
    const opcode = bytes[at]! & 0x0f;
    let length = bytes[at + 1]! & 0x7f;
    let head = 2;
    if (length === 126) {
      if (bytes.length < at + 4) return at;
      length = bytes.readUInt16BE(at + 2);
      head = 4;
    } else if (length === 127) {
      if (bytes.length < at + 10) return at;
      length = Number(bytes.readBigUInt64BE(at + 2));
      head = 10;
    }
    if (bytes.length < at + head + length) return at;
    hear(opcode, bytes.subarray(at + head, at + head + length));
    at += head + length;
  }
}

/** A client must mask its frames (RFC 6455); ours are short. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ mask[index & 3]!);
  return Buffer.concat([Buffer.from([0x80 | TEXT, 0x80 | payload.length]), mask, masked]);
}
