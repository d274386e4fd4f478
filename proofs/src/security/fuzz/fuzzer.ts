/**
 * Sends inputs in batches, one batch at a time and each for one route, so that the CPU time that the process uses
 * between two measurements belongs to that route.
 */
import type { Checks } from '../isolation/checks.ts';
import { CLAIMS, MAX_COST, MAX_STALL_MS } from './claims.ts';
import { describeInput, isDocumented } from './describe.ts';
import type { FrameTarget } from './frame-targets.ts';
import { makeFrame } from './make-frame.ts';
import { makeRequest } from './make-request.ts';
import { measureParse } from './measure-parse.ts';
import type { ResourceFactory } from './owned-resources.ts';
import type { ProcessProbe } from './process-probe.ts';
import { randomFor } from './random.ts';
import { RouteTally } from './route-tally.ts';
import { FixturePool } from './fixture-pool.ts';
import type { Fixture } from './fixture-pool.ts';
import { sayFrame } from './sockets.ts';
import type { Target } from './target.ts';
import { UNSUCCESSFUL } from './unsuccessful.ts';
import { isHeadTooLarge, TIMEOUT_MS, UNANSWERED, Wire } from './wire.ts';
import type { Reply, Request } from './wire.ts';

export const BATCH = 8;
/** Batches above this factor may contain an input that costs `MAX_COST` times as much as the others. */
const SUSPICIOUS = (BATCH - 1 + MAX_COST) / BATCH;
/** An input is too expensive if this many batches of copies of it all are. */
const REPEATS = 4;
/** Ends the run when this many routes have left an input unanswered. */
const MAX_SILENT = 5;
/** Below this, the first use of a code path or a garbage collection costs more than the input. */
const NEGLIGIBLE_MS = 1;

/** One input that can be sent repeatedly, to confirm that it is expensive. */
interface Shot {
  index: number;
  describe: () => string;
  send: () => Promise<Reply>;
  headers: Request['headers'];
  body: Buffer | undefined;
  isAuthorized: boolean;
  isWhole: boolean;
}

interface Suspect {
  route: string;
  shots: Shot[];
}

interface FuzzerOptions extends Omit<ResourceFactory, 'url'> {
  urls: { api: string; gateway: string };
  probes: { api: ProcessProbe; gateway: ProcessProbe };
  checks: Checks;
  seed: number;
  /** False on a shared machine: stalls are measured in wall time, which other programs distort. */
  isStallJudged: boolean;
}

export class Fuzzer implements Disposable {
  readonly tallies = new Map<string, RouteTally>();
  readonly #options: FuzzerOptions;
  readonly #fixturePool: FixturePool;
  readonly #wire: Wire;
  /** Batches that were sent before the median of their route was known. */
  readonly #early: (Suspect & { costMs: number })[] = [];
  /** Routes that left an input unanswered. They get no more inputs: each would take `TIMEOUT_MS`. */
  readonly #silent = new Set<string>();
  worstCost = 0;
  worstStallMs = 0;
  #index = 0;

  private constructor(options: FuzzerOptions, fixturePool: FixturePool) {
    this.#options = options;
    this.#fixturePool = fixturePool;
    this.#wire = new Wire(options.urls.api);
  }

  static async open(options: FuzzerOptions): Promise<Fuzzer> {
    return new Fuzzer(options, await FixturePool.open({ ...options, url: options.urls.api }));
  }

  get sent(): number {
    return this.#index;
  }

  get replaced(): number {
    return this.#fixturePool.replaced;
  }

  /** Sends valid inputs, with new test accounts if a call is refused. Returns the answer if none succeeded. */
  async tryValid(target: Target, attempts: number): Promise<string | undefined> {
    const tally = this.#tallyOf(target.name);
    let answer = '';
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const random = randomFor(this.#options.seed, -1);
      const fixture = this.#fixturePool.next(random);
      const { request } = makeRequest(random, target.base(fixture), 'valid', false);
      const { status, text } = await this.#wire.send(request);
      if (status >= 200 && status < 400) {
        tally.hasSucceeded = true;
        return undefined;
      }
      answer = `${status} ${text}`;
      if (attempt + 1 === attempts) break;
      await this.#fixturePool.replace(isService(target.name));
      this.#fixturePool.rewind();
    }
    return answer;
  }

  async sendBatch(target: Target | FrameTarget): Promise<void> {
    if (this.#silent.has(target.name)) return;
    const { seed, probes } = this.#options;
    const fixture = this.#fixturePool.next(randomFor(seed, this.#index));
    const shots = 'frame' in target ? this.#frames(target, fixture) : this.#requests(target, fixture);
    const probe = probes['frame' in target ? 'gateway' : 'api'];
    await probe.readSpent();
    const replies = await Promise.all(shots.map(({ send }) => send()));
    const { cpuMs, stallMs } = await probe.readSpent();
    const tally = this.#tallyOf(target.name);
    for (const [at, shot] of shots.entries()) this.#judge(target.name, shot, replies[at]!, tally);
    if (this.#silent.has(target.name)) return;
    tally.noteCost(cpuMs / BATCH);
    await this.#judgeCost({ route: target.name, shots }, probe, tally, cpuMs / BATCH);
    await this.#judgeStall({ route: target.name, shots }, probe, stallMs);
    const isLocked = replies.some(({ text }, at) => shots[at]!.isAuthorized && isLockedOut(text));
    if (isLocked && !UNSUCCESSFUL.has(target.name)) await this.#fixturePool.replace(isService(target.name));
  }

  /** Confirms the cost of the most expensive early batches, at most `most`. */
  async judgeEarly(most: number): Promise<void> {
    const excess = ({ route, costMs }: { route: string; costMs: number }): number =>
      costMs - SUSPICIOUS * this.#tallyOf(route).medianMs;
    const suspects = this.#early.filter((suspect) => excess(suspect) > NEGLIGIBLE_MS / BATCH);
    for (const suspect of suspects.toSorted((one, other) => excess(other) - excess(one)).slice(0, most)) {
      const isFrame = suspect.route.includes('frame ');
      await this.#confirmCost(suspect, this.#options.probes[isFrame ? 'gateway' : 'api']);
    }
  }

  #requests(target: Target, fixture: Fixture): Shot[] {
    const base = target.base(fixture);
    return this.#take().map((index) => {
      const { request, isAuthorized } = makeRequest(randomFor(this.#options.seed, index), base, this.#markerOf(index));
      return {
        index,
        describe: () => `input ${index}, ${describeInput(request)}`,
        send: () => this.#wire.send(request),
        headers: request.headers,
        body: request.body,
        isAuthorized,
        isWhole: !request.isBroken && !isHeadTooLarge(request),
      };
    });
  }

  #frames(target: FrameTarget, fixture: Fixture): Shot[] {
    const { seed, urls } = this.#options;
    return this.#take().map((index) => {
      const input = makeFrame(randomFor(seed, index), target.frame(fixture), this.#markerOf(index));
      return {
        index,
        describe: () => `input ${index}, ${target.name}: ${JSON.stringify(input.bytes.subarray(0, 2_000).toString())}`,
        send: () => sayFrame(urls.gateway, target, fixture, input),
        headers: [],
        body: input.bytes,
        isAuthorized: true,
        isWhole: true,
      };
    });
  }

  #take(): number[] {
    return Array.from({ length: BATCH }, () => this.#index++);
  }

  /** Only ASCII letters and digits, which every encoding and escaping leaves unchanged. */
  #markerOf(index: number): string {
    return `${markerOf(this.#options.seed)}${index.toString(36)}q`;
  }

  #judge(route: string, shot: Shot, reply: Reply, tally: RouteTally): void {
    const { checks } = this.#options;
    const { status, text } = reply;
    tally.note(status);
    const detail = (): string => `${route} answers ${status} ${text}\n    to ${shot.describe()}`;
    const isError = status >= 500 && status < 600 && !isDocumented(reply, shot.headers);
    checks.that(CLAIMS.error, !isError, detail);
    if (status === UNANSWERED) this.#noteUnanswered(route, shot);
    else checks.that(CLAIMS.answer, status > 0 || !shot.isWhole, detail);
    if (route.includes('frame ')) checks.that(CLAIMS.socket, !INTERNAL_CODES.includes(status), detail);
  }

  #noteUnanswered(route: string, { index, describe }: Shot): void {
    this.#silent.add(route);
    const what = `${route} leaves input ${index} of seed ${this.#options.seed} unanswered for ${TIMEOUT_MS / 1_000} s`;
    this.#options.checks.that(CLAIMS.answer, false, () => `${what}\n    ${describe()}`);
    if (this.#silent.size >= MAX_SILENT) throw new Error(`${MAX_SILENT} routes leave inputs unanswered`);
  }

  async #judgeCost(suspect: Suspect, probe: ProcessProbe, tally: RouteTally, costMs: number): Promise<void> {
    this.#options.checks.that(CLAIMS.cpu, true, () => '');
    if (!tally.isKnown) this.#early.push({ ...suspect, costMs });
    else if (costMs > SUSPICIOUS * tally.medianMs && costMs * BATCH > NEGLIGIBLE_MS)
      await this.#confirmCost(suspect, probe);
  }

  /** Sends batches of copies of each input, since the median is one of batches. The cheapest batch counts. */
  async #confirmCost({ route, shots }: Suspect, probe: ProcessProbe): Promise<void> {
    const usualMs = Math.max(this.#tallyOf(route).medianMs, NEGLIGIBLE_MS / MAX_COST);
    for (const shot of shots) {
      const allowedMs = MAX_COST * Math.max(usualMs, measureParse(shot.body));
      let cheapest = Number.POSITIVE_INFINITY;
      for (let turn = 0; turn < REPEATS && cheapest > allowedMs; turn += 1) {
        await probe.readSpent();
        const replies = await Promise.all(Array.from({ length: BATCH }, shot.send));
        if (replies.some(({ status }) => status === UNANSWERED)) return this.#noteUnanswered(route, shot);
        cheapest = Math.min(cheapest, (await probe.readSpent()).cpuMs / BATCH);
      }
      const times = (cheapest / allowedMs) * MAX_COST;
      this.worstCost = Math.max(this.worstCost, times);
      this.#options.checks.that(CLAIMS.cpu, cheapest <= allowedMs, () => {
        return `${route}: ${cheapest.toFixed(1)} ms, ${times.toFixed(1)} times what is usual\n    for ${shot.describe()}`;
      });
    }
  }

  /** A stall counts only if it repeats: the kernel may have given the processor to another program. */
  async #judgeStall({ route, shots }: Suspect, probe: ProcessProbe, seenMs: number): Promise<void> {
    if (!this.#options.isStallJudged) return;
    let stallMs = seenMs;
    for (let turn = 1; turn < REPEATS && stallMs > MAX_STALL_MS; turn += 1) {
      await probe.readSpent();
      const replies = await Promise.all(shots.map(({ send }) => send()));
      const at = replies.findIndex(({ status }) => status === UNANSWERED);
      if (at !== -1) return this.#noteUnanswered(route, shots[at]!);
      stallMs = Math.min(stallMs, (await probe.readSpent()).stallMs);
    }
    this.worstStallMs = Math.max(this.worstStallMs, stallMs);
    this.#options.checks.that(CLAIMS.stall, stallMs <= MAX_STALL_MS, () => {
      return `${route}: ${stallMs.toFixed(0)} ms\n    for ${shots.map(({ describe }) => describe()).join('\n    ')}`;
    });
  }

  #tallyOf(route: string): RouteTally {
    const known = this.tallies.get(route) ?? new RouteTally();
    this.tallies.set(route, known);
    return known;
  }

  [Symbol.dispose](): void {
    this.#wire[Symbol.dispose]();
  }
}

/** The common prefix of the markers of all inputs. */
export function markerOf(seed: number): string {
  return `zfz${seed.toString(36)}x`;
}

function isService(route: string): boolean {
  return route.includes('/v1');
}

/** Internal error, and a connection that was closed without a close frame. */
const INTERNAL_CODES = [1_006, 1_011];

/** Errors that say that an earlier input has ended the session or sign-up. */
const LOCKED_OUT = ['unauthenticated', 'no_sign_up', 'general_unauthorized_scope', 'user_blocked'];

function isLockedOut(text: string): boolean {
  return LOCKED_OUT.some((code) => text.includes(`"${code}"`));
}
