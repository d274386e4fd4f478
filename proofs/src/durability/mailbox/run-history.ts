/** Runs one history, lets everything settle, and compares the stored data with the ledger. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../../apps/server/src/context.ts';
import { makePendingCopies } from '../../../../apps/server/src/features/messaging/mailbox/jobs.ts';
import { Receipts } from '../../../../apps/server/src/features/messaging/mailbox/receipts.ts';
import { raiseEpoch } from '../../../../apps/server/src/features/messaging/mailbox/restore-repair.ts';
import { setRegisters } from '../../../../apps/server/src/features/messaging/mailbox/service.ts';
import { RealtimeGateway } from '../../../../apps/server/src/features/messaging/mailbox/realtime-gateway.ts';
import { setContact } from '../../../../apps/server/src/features/people/contacts/service.ts';
import { moveBucket } from '../../../../apps/server/src/features/operations/sharding/service.ts';
import { checkMailboxes } from './check-mailboxes.ts';
import { checkPolicy } from './check-policy.ts';
import { checkRegisters } from './check-registers.ts';
import { Checks } from './checks.ts';
import { SimulatedCrash, watchMove } from './simulated-crash.ts';
import type { WatchedMoveOptions } from './simulated-crash.ts';
import { BUCKET_OF_PERSON, PROCESSES, VALUE_KEYS } from './history.ts';
import type { Action, History } from './history.ts';
import { Ledger, listOf, recordWrite } from './ledger.ts';
import { ListeningDevice } from './listening-device.ts';
import { PagingDevice } from './paging-device.ts';
import { createParticipants } from './participants.ts';
import type { Participants } from './participants.ts';
import type { Processes } from './processes.ts';
import { Sender } from './sender.ts';
import { readState } from './state.ts';
import type { Tally } from './tally.ts';
import { classify } from './classify-error.ts';

const NEVER_MS = 3_600_000;
/** Makes the settling job take copies of any age, also of sends still in progress: that must be harmless. */
const ANY_AGE_MS = -60_000;
const CATCH_UP_MS = 4_000;
const MOVE_TRIES = 5;
const ACKED_PAGE = 10;

export async function runHistory(processes: Processes, history: History, tally: Tally): Promise<Checks> {
  const run = await Run.begin(processes, history, tally);
  await run.play();
  await run.settle();
  return run.checks;
}

class Run {
  readonly checks: Checks;
  readonly #processes: Processes;
  readonly #history: History;
  readonly #tally: Tally;
  readonly #ledger: Ledger;
  readonly #participants: Participants;
  readonly #sender: Sender;
  readonly #streams: RealtimeGateway[];
  readonly #receipts: Receipts[];
  readonly #paging: PagingDevice[];
  readonly #listening: ListeningDevice[];

  private constructor(
    processes: Processes,
    history: History,
    tally: Tally,
    ledger: Ledger,
    participants: Participants,
  ) {
    const checks = new Checks();
    this.checks = checks;
    this.#processes = processes;
    this.#history = history;
    this.#tally = tally;
    this.#ledger = ledger;
    this.#participants = participants;
    this.#sender = new Sender(participants.people, ledger, checks, tally);
    this.#streams = processes.all.map((ctx) => new RealtimeGateway(ctx, NEVER_MS));
    this.#receipts = processes.all.map((ctx) => new Receipts(ctx));
    this.#paging = participants.people.map(({ account }) => new PagingDevice(account, ledger, checks));
    this.#listening = participants.people.map(({ listening }) => new ListeningDevice(listening, ledger, checks));
  }

  static async begin(processes: Processes, history: History, tally: Tally): Promise<Run> {
    processes.bus.reseed(history.seed);
    const ledger = new Ledger();
    const participants = await createParticipants(processes, history, ledger);
    return new Run(processes, history, tally, ledger, participants);
  }

  async play(): Promise<void> {
    await Promise.all([...this.#history.actors, this.#history.operator].map((actions) => this.#actOut(actions)));
  }

  async #actOut(actions: Action[]): Promise<void> {
    for (const action of actions) {
      this.#tally.count(action.kind);
      await this.#expect(action.kind, () => this.#act(action));
    }
  }

  /** Runs a task that must succeed unless a connection was cut. Returns false if it failed. */
  async #expect(what: string, task: () => Promise<unknown>): Promise<boolean> {
    const classified = await task().then(
      () => undefined,
      (error: unknown) => classify(error),
    );
    if (classified === undefined) return true;
    this.checks.that(
      'no unexpected error',
      classified.kind === 'away' && this.#ledger.isExcused,
      () => `${what}: ${classified.detail}`,
    );
    return false;
  }

  async #act(action: Action): Promise<unknown> {
    switch (action.kind) {
      case 'send':
        return this.#sender.send(this.#ctx(action), action);
      case 'burst':
        return this.#sender.burst(this.#processes.all, action);
      case 'race':
        return this.#sender.race(this.#processes.all, action);
      case 'erase':
        return this.#sender.erase(this.#ctx(action), action);
      case 'contact':
        return this.#setContact(action);
      case 'register':
        return this.#setRegister(action);
      case 'page':
        return this.#paging[action.person]!.readPage(this.#ctx(action), action.limit);
      case 'registers':
        return this.#paging[action.person]!.readRegisters(this.#ctx(action));
      case 'ack':
        return this.#ack(action.person, action.process);
      case 'connect':
        return this.#listening[action.person]!.connect(this.#streams[action.process]!, action.rewind);
      case 'disconnect':
        return this.#listening[action.person]!.disconnect();
      case 'compare':
        return this.#streams[action.process]!.compare();
      case 'settle':
        return makePendingCopies(this.#ctx(action), ANY_AGE_MS);
      case 'pause':
        return sleep(action.ms);
      case 'move':
        return this.#move(action);
      case 'epoch':
        return raiseEpoch(this.#processes.operator, action.shard);
      case 'cut':
        this.#ledger.wasCut = true;
        this.#ledger.isExcused = true;
        return this.#processes.cut(action.database);
    }
  }

  #ctx(action: { process: number }): Context {
    return this.#processes.all[action.process % PROCESSES]!;
  }

  async #setContact({ owner, peer, state, process }: Extract<Action, { kind: 'contact' }>): Promise<void> {
    if (owner === peer) return;
    const [one, other] = [this.#participants.people[owner]!.account, this.#participants.people[peer]!.account];
    const writes = listOf(this.#ledger.contacts, `${one}/${other}`);
    await recordWrite(this.#ledger, writes, state, () => {
      return this.#expect('contact', () => setContact(this.#ctx({ process }), one, other, state));
    });
  }

  async #setRegister({ owner, key, content, process }: Extract<Action, { kind: 'register' }>): Promise<void> {
    const { account } = this.#participants.people[owner]!;
    const isValue = key < VALUE_KEYS;
    const name = `${isValue ? 'value' : 'mark'}/${key}`;
    const registerWrite = {
      owner: account,
      key: name,
      mark: isValue ? null : content,
      value: isValue ? Buffer.of(content) : null,
    };
    await recordWrite(this.#ledger, listOf(this.#ledger.registers, `${account}/${name}`), content, () => {
      return this.#expect('register', () => setRegisters(this.#ctx({ process }), [registerWrite]));
    });
  }

  async #ack(person: number, process: number): Promise<void> {
    const { account, paging } = this.#participants.people[person]!;
    const listening = this.#listening[person]!;
    const receipts = this.#receipts[process]!;
    await this.#paging[person]!.readPage(this.#ctx({ process }), ACKED_PAGE);
    const read = this.#paging[person]!.seq;
    receipts.ack(account, paging.device, read);
    const heard = listening.ack();
    this.#ledger.acked.set(account, Math.max(this.#ledger.acked.get(account) ?? 0, read, heard));
    await receipts.flush();
  }

  /** Moves a bucket to the other shard while all clients write to and from its accounts. */
  async #move({ bucket: index, diesAfter }: Extract<Action, { kind: 'move' }>): Promise<void> {
    const residents = [...BUCKET_OF_PERSON.keys()].filter((person) => BUCKET_OF_PERSON[person] === index);
    const move = { value: index, startedAt: this.#ledger.tick(), endedAt: Infinity };
    this.#ledger.moves.push(move);
    let chatting: Promise<void> | undefined;
    const isOver = (): boolean => move.endedAt !== Infinity;
    const onFreeze = (): void => {
      chatting ??= this.#sender.chat(this.#processes.all, residents, isOver);
    };
    await this.#carryThrough(this.#participants.buckets[index]!, { diesAfter, onFreeze }).finally(() => {
      move.endedAt = this.#ledger.tick();
    });
    await chatting;
  }

  /** Starts the move again, as the operator would, until it succeeds. */
  async #carryThrough(bucket: number, options: WatchedMoveOptions): Promise<void> {
    const { operator, directory } = this.#processes;
    const { rows } = await directory.query<{ shard: number }>('select shard from placement where bucket = $1', [
      bucket,
    ]);
    const to = 1 - rows[0]!.shard;
    let ctx = watchMove(operator, options);
    for (let tries = 1; ; tries++) {
      try {
        await moveBucket(ctx, bucket, to);
        return;
      } catch (error) {
        if (error instanceof SimulatedCrash) this.#tally.count('mover died');
        else if (classify(error).kind !== 'away' || tries === MOVE_TRIES) throw error;
        ctx = watchMove(operator, { ...options, diesAfter: null });
      }
    }
  }

  async settle(): Promise<void> {
    if (this.#ledger.wasCut) await this.#processes.recover();
    this.#ledger.isExcused = false;
    await this.#sender.offerAgain(this.#processes.all);
    await this.#expect('settle', () => makePendingCopies(this.#processes.all[0]!, ANY_AGE_MS));
    await this.#expect('settle', () => makePendingCopies(this.#processes.all[1]!, ANY_AGE_MS));
    await this.#catchUp();
    await this.#finishAcks();
    for (const [index, device] of this.#paging.entries()) {
      const ctx = this.#processes.all[index % PROCESSES]!;
      await this.#expect('the last pages', async () => {
        while ((await device.readPage(ctx, 50)) > 0);
        await device.readRegisters(ctx);
      });
    }
    const state = await readState(this.#processes, this.#participants);
    checkMailboxes(this.#ledger, this.checks, state);
    checkPolicy(this.#ledger, this.checks);
    checkRegisters(this.#ledger, this.checks, state, this.#paging);
    for (const device of this.#paging) {
      const last = state.mailboxes.get(device.account)?.lastSeq;
      this.checks.that('pages reach the end', device.seq === last, () => `ended at ${device.seq} of ${last}`);
    }
  }

  /** Waits until the gateways' comparison with the shards has repaired every lost hint (R4). */
  async #catchUp(): Promise<void> {
    const giveUpAt = performance.now() + CATCH_UP_MS;
    for (;;) {
      for (const device of this.#listening) device.returnIfClosed();
      await Promise.all(this.#streams.map((streams) => streams.compare()));
      await sleep(2);
      const state = await readState(this.#processes, this.#participants);
      const behind = this.#listening.filter((device) => {
        const { lastSeq, rev, registers } = state.mailboxes.get(device.account) ?? {
          lastSeq: -1,
          rev: -1,
          registers: '',
        };
        const isThere =
          device.cursor.seq === lastSeq && device.cursor.rev === rev && device.registers.describe() === registers;
        return device.isConnected && !isThere;
      });
      if (behind.length > 0 && performance.now() < giveUpAt) continue;
      for (const device of this.#listening.filter((one) => one.isConnected)) {
        this.checks.that('lost hints are made up for', !behind.includes(device), () => {
          const { lastSeq, rev } = state.mailboxes.get(device.account) ?? {};
          return `the socket of ${device.account} stands at ${JSON.stringify(device.cursor)} of ${lastSeq}, ${rev}`;
        });
        this.#tally.count('reset', device.resets);
      }
      return;
    }
  }

  async #finishAcks(): Promise<void> {
    for (const device of this.#listening) device.disconnect();
    for (const streams of this.#streams) await streams[Symbol.asyncDispose]();
    for (const receipts of this.#receipts) await receipts[Symbol.asyncDispose]();
  }
}
