/**
 * A fake server: the contract and the socket's rules over mailboxes in memory, with injected faults. It replaces the
 * network and the real server; nothing of the client is replaced.
 */
import { accountDataKey, putAccountData } from '@dostar/protocol/contract/account-data';
import type { ClientDeps, SocketEvents } from '@dostar/client';
import { DONE } from '@dostar/protocol/contract/done';
import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { getContacts } from '@dostar/protocol/contract/contacts';
import * as messages from '@dostar/protocol/contract/messages';
import { markRead } from '@dostar/protocol/contract/read-receipts';
import { getSession } from '@dostar/protocol/contract/sessions';
import { reportUndecryptable } from '@dostar/protocol/contract/monitoring';
import { AppError, ERRORS, type ErrorCode } from '@dostar/protocol/errors';
import { AccountId, DeviceId, directChat } from '@dostar/protocol/ids';
import { type Cursor, deliveredKey, Entry, readKey } from '@dostar/protocol/mailbox';
import type { z } from 'zod';
import type { Mailbox } from './fake-mailbox.ts';
import { listUsers } from './fake-users.ts';
import { type ByeReason, ClientFrame, type ServerFrame } from '@dostar/protocol/realtime';

/** What happens to a call: refused with a code, or lost on the way there or back. */
type Fault = ErrorCode | 'request_lost' | 'answer_lost' | 'none';

/** Calls that a client makes by itself. Injected faults skip them, because they are meant for user actions. */
const READS = new Set<string>([getSession.path, getContacts.path, messages.listChat.path, reportUndecryptable.path]);

interface Link {
  account: AccountId;
  seq: number;
  rev: number;
  isLive: boolean;
  tell(frame: ServerFrame | { t: 'nonsense' }): void;
  end(): void;
}

interface Call {
  /** Device and recipient of a send; empty for other calls. */
  sendKey: string;
  init: RequestInit | undefined;
}

type Line = Pick<ClientDeps, 'baseUrl' | 'fetch' | 'openSocket'> & {
  /** Ends every socket and every call in flight without an error or close frame. */
  cut(): void;
  /** While down, nothing gets through in either direction. */
  isDown: boolean;
  /** The account whose cookie the calls carry. */
  account: AccountId | undefined;
};

export type FakeServer = ReturnType<typeof createFakeServer>;

export function createFakeServer(now: () => number = Date.now) {
  const mailboxes = new Map<AccountId, Mailbox>();
  const links = new Set<Link>();
  const inFlight = new Set<Call>();
  let callCount = 0;
  const server = {
    epoch: 1,
    /** One is taken by each call other than `getSession`. */
    faults: [] as Fault[],
    /** Number of sends that overlapped in one chat of one device: there must be none. */
    overlaps: 0,
    calls: [] as string[],
    /** Reports of browsers about undecryptable messages. */
    closed: [] as unknown[],
    /** For each stored message, whether it causes a notification. */
    rings: [] as boolean[],
    frames: [] as ClientFrame[],
    addAccount,
    connect,
    listEntries: (account: AccountId) => mailboxOf(account).log,
    registersOf: (account: AccountId) => [...mailboxOf(account).registers.values()],
    putRegister,
    say,
    restore,
    repeatLast,
    skipOne,
    linkCount: () => links.size,
  };
  return server;

  function addAccount(): AccountId {
    const account = AccountId.parse(crypto.randomUUID());
    mailboxes.set(account, { log: [], calls: [], registers: new Map(), rev: 0 });
    return account;
  }

  /** One device's connection to the server. */
  function connect(owner: AccountId): Line {
    let cutter = new AbortController();
    const device = crypto.randomUUID();
    const line: Line = {
      baseUrl: 'http://server.test',
      isDown: false,
      account: owner,
      cut() {
        cutter.abort();
        cutter = new AbortController();
      },
      async fetch(input, init) {
        const { signal } = cutter;
        const { path, body, method, claim } = readRequest(input, init);
        const call: Call = { sendKey: path === messages.sendMessage.path ? `${device}/${String(body.to)}` : '', init };
        enter(call);
        try {
          await travel();
          requireLine(signal, init?.signal);
          const fault = READS.has(path) ? 'none' : (server.faults.shift() ?? 'none');
          if (fault === 'request_lost') throw new TypeError('fetch failed');
          const response = respond(() => {
            if (fault !== 'none' && fault !== 'answer_lost') throw new AppError(fault);
            if (path !== getContacts.path && path !== reportUndecryptable.path) server.calls.push(`${method} ${path}`);
            callCount += 1;
            if (claim !== ANY_ACCOUNT && claim !== line.account) throw new AppError('wrong_account');
            return handle(line.account, path, body);
          });
          await travel();
          requireLine(signal, init?.signal);
          if (fault === 'answer_lost') throw new TypeError('fetch failed');
          return response;
        } finally {
          inFlight.delete(call);
        }
      },
      openSocket: (_url, events) => openLink(line, cutter.signal, events),
    };
    return line;

    function requireLine(...signals: (AbortSignal | null | undefined)[]): void {
      if (line.isDown || signals.some((signal) => signal?.aborted)) throw new TypeError('fetch failed');
    }
  }

  /** A call is no longer in flight once its client has given it up or was closed. */
  function enter(call: Call): void {
    const others = [...inFlight].filter(
      ({ sendKey, init }) => sendKey === call.sendKey && init?.signal?.aborted !== true,
    );
    if (call.sendKey !== '' && others.length > 0) server.overlaps += 1;
    inFlight.add(call);
  }

  function handle(account: AccountId | undefined, path: string, body: unknown): unknown {
    if (account === undefined) throw new AppError('unauthenticated');
    switch (path) {
      case getSession.path:
        return { account, device: DeviceId.parse(account) };
      case getContacts.path:
        return { users: listUsers(mailboxOf(account).log, account) };
      case messages.sendMessage.path:
        return send(account, messages.sendMessage.body.parse(body));
      case messages.eraseMessage.path:
        return erase(account, messages.eraseMessage.body.parse(body));
      case messages.listChat.path: {
        const { chat, before = Infinity, limit } = messages.listChat.body.parse(body);
        const found = mailboxOf(account).log.filter((entry) => entry.chat === chat && entry.seq < before);
        return { epoch: server.epoch, entries: found.slice(-limit) };
      }
      case putAccountData.path: {
        const { name, value } = putAccountData.body.parse(body);
        putRegister(account, accountDataKey(name), value);
        return {};
      }
      case reportUndecryptable.path:
        server.closed.push(body);
        return DONE;
      case markRead.path:
        return read(account, markRead.body.parse(body));
      default:
        throw new AppError('not_found');
    }
  }

  function send(sender: AccountId, { id, to, body, rings }: z.output<typeof messages.sendMessage.body>) {
    const chat = directChat(sender, to);
    const head = { kind: 'mail' as const, sender, id, chat, at: now(), body };
    const theirs = append(to, head);
    if (theirs.isNew) server.rings.push(rings);
    // A repeat keeps the bytes that were stored first (SPEC S3).
    const ours = to === sender ? theirs : append(sender, { ...theirs.entry, peerSeq: theirs.entry.seq });
    return {
      state: theirs.isNew ? 'new' : 'duplicate',
      epoch: server.epoch,
      seq: ours.entry.seq,
      peerSeq: theirs.entry.seq,
      at: theirs.entry.at,
    };
  }

  function erase(
    sender: AccountId,
    { id, chat, target, everywhere, proof }: z.output<typeof messages.eraseMessage.body>,
  ) {
    if (everywhere !== undefined && target.sender !== sender) throw new AppError('forbidden');
    const owners = everywhere === undefined ? [sender] : [everywhere, sender];
    const seqs = owners.map((owner) => {
      for (const entry of mailboxOf(owner).log) {
        if (entry.kind === 'mail' && entry.sender === target.sender && entry.id === target.id) delete entry.body;
      }
      return append(owner, { kind: 'erasure', sender, id, chat, at: now(), erases: target, proof }).entry.seq;
    });
    return { seq: seqs.at(-1) };
  }

  function append(owner: AccountId, head: object): { entry: Entry; isNew: boolean } {
    const { log, calls } = mailboxOf(owner);
    const entry = Entry.parse({ ...head, seq: log.length + 1 });
    const known = log.find(({ sender, id }) => sender === entry.sender && id === entry.id);
    if (known !== undefined) return { entry: known, isNew: false };
    log.push(entry);
    calls.push(callCount);
    pump(owner);
    return { entry, isNew: true };
  }

  function openLink(line: Line, signal: AbortSignal, events: SocketEvents) {
    const link: Link = { account: line.account as AccountId, seq: 0, rev: 0, isLive: false, tell, end };
    let isOpen = true;
    // A socket that has lost a frame delivers none after it, and reports no error.
    let isDead = false;
    signal.addEventListener('abort', end);
    void turn().then(() => {
      if (line.isDown || line.account === undefined) return end();
      // The client gave the socket up before it was open, so nothing would close it later.
      if (!isOpen) return;
      links.add(link);
      events.onOpen();
    });
    return { send: hear, close: end };

    function tell(frame: ServerFrame | { t: 'nonsense' }): void {
      const text = JSON.stringify(frame);
      void turn().then(() => {
        isDead ||= line.isDown;
        if (isOpen && !isDead) events.onText(text);
      });
    }
    function hear(text: string): void {
      void turn().then(() => {
        isDead ||= line.isDown;
        if (isOpen && !isDead) handleFrame(link, ClientFrame.parse(JSON.parse(text)));
      });
    }
    function end(): void {
      if (!isOpen) return;
      isOpen = false;
      links.delete(link);
      events.onClose();
    }
  }

  function handleFrame(link: Link, frame: ClientFrame): void {
    server.frames.push(frame);
    if (frame.t === 'resume') resume(link, frame.cursor);
    if (frame.t === 'ping') link.tell({ t: 'pong', n: frame.n });
    if (frame.t === 'ack') deliver(link.account, frame.seq);
  }

  function resume(link: Link, cursor: Cursor | null): void {
    const { log, rev } = mailboxOf(link.account);
    const isWrong = cursor !== null && (cursor.epoch !== server.epoch || cursor.seq > log.length || cursor.rev > rev);
    if (isWrong) return link.tell({ t: 'reset', epoch: server.epoch });
    link.seq = cursor?.seq ?? 0;
    link.rev = cursor?.rev ?? 0;
    link.isLive = true;
    link.tell({ t: 'resumed', cursor: { epoch: server.epoch, seq: log.length, rev } });
    pump(link.account);
  }

  function pump(account: AccountId): void {
    const { log, registers, rev } = mailboxOf(account);
    for (const link of links) {
      if (link.account !== account || !link.isLive) continue;
      for (const entry of log.slice(link.seq)) link.tell({ t: 'entry', entry });
      link.seq = log.length;
      for (const register of registers.values()) if (register.rev > link.rev) link.tell({ t: 'register', register });
      if (rev > link.rev) link.tell({ t: 'registers', rev });
      link.rev = rev;
    }
  }

  function deliver(reader: AccountId, upTo: number): void {
    for (const { sender, chat, seq } of mailboxOf(reader).log.slice(0, upTo)) {
      if (sender === reader) continue;
      const mailbox = mailboxOf(sender);
      const key = deliveredKey(chat, reader);
      if (seq <= (mailbox.registers.get(key)?.mark ?? 0)) continue;
      mailbox.rev += 1;
      mailbox.registers.set(key, { key, rev: mailbox.rev, mark: seq });
      pump(sender);
    }
  }

  function read(reader: AccountId, { peer, upTo }: z.output<typeof markRead.body>): object {
    for (const account of new Set([reader, peer])) {
      const mailbox = mailboxOf(account);
      const key = readKey(directChat(reader, peer), reader);
      if (upTo <= (mailbox.registers.get(key)?.mark ?? 0)) continue;
      mailbox.rev += 1;
      mailbox.registers.set(key, { key, rev: mailbox.rev, mark: upTo });
      pump(account);
    }
    return {};
  }

  /** Writes a register as another part of the server would. */
  function putRegister(account: AccountId, key: string, value: string): void {
    const mailbox = mailboxOf(account);
    mailbox.rev += 1;
    mailbox.registers.set(key, { key, rev: mailbox.rev, value });
    pump(account);
  }

  /** Sends `bye` to every socket. */
  function say(reason: ByeReason, afterMs = 0): void {
    for (const link of links) {
      link.tell({ t: 'bye', reason, afterMs });
      void turn().then(link.end);
    }
  }

  /**
   * Restores all databases from a backup of one moment. `isNewEpoch` is false if the operator forgets to raise the
   * epoch.
   */
  function restore(kept: number, { isNewEpoch = true, areSocketsCut = true } = {}): void {
    if (isNewEpoch) server.epoch += 1;
    for (const mailbox of mailboxes.values()) {
      mailbox.calls = mailbox.calls.filter((call) => call <= callCount * kept);
      mailbox.log.length = mailbox.calls.length;
      mailbox.registers.clear();
      mailbox.rev = 0;
    }
    for (const link of links) {
      if (areSocketsCut) link.end();
      else {
        link.isLive = false;
        link.tell({ t: 'reset', epoch: server.epoch });
      }
    }
  }

  /** Sends the last entry once more to all clients, as a gateway that is unsure may do. */
  function repeatLast(): void {
    for (const link of links) {
      const entry = mailboxOf(link.account).log[link.seq - 1];
      if (link.isLive && entry !== undefined) link.tell({ t: 'entry', entry });
    }
  }

  /** Simulates a faulty gateway: sends all clients the entry after the next one. */
  function skipOne(): void {
    for (const link of links) {
      const entry = mailboxOf(link.account).log.at(-1);
      if (link.isLive && entry !== undefined) link.tell({ t: 'entry', entry: { ...entry, seq: link.seq + 2 } });
    }
  }

  function mailboxOf(account: AccountId): Mailbox {
    const mailbox = mailboxes.get(account);
    if (mailbox === undefined) throw new AppError('unknown_account');
    return mailbox;
  }
}

function readRequest(input: RequestInfo | URL, init: RequestInit | undefined) {
  const headers = new Headers(init?.headers);
  const claim = headers.get(CALL_HEADER);
  if (claim === null) throw new Error('every call of ours carries the header');
  const body = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>;
  const path = new URL(input instanceof Request ? input.url : input).pathname;
  return { path, method: init?.method ?? 'GET', body, claim };
}

function respond(answer: () => unknown): Response {
  try {
    return Response.json(answer());
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return Response.json({ error: error.code }, { status: ERRORS[error.code].status });
  }
}

/** A network delay, so that a client that does not wait for an answer is noticed. */
function travel(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

/** Runs everything that is ready first, as a network delay would. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
