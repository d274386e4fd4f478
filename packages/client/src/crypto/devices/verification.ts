/**
 * Verification of contacts and of the account's own devices: both sides compare seven emoji, or one scans the other's
 * code.
 *
 * Any device of the other side may answer. The request goes to all of them under one id, and is cancelled on the others
 * once one has answered.
 */
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { AppError } from '@dostar/protocol/errors';
import type { AccountId } from '@dostar/protocol/ids';
import { accountOf, MatrixUser, userOf } from '@dostar/protocol/matrix-ids';
import type { Qr, Sas, ToDeviceRequest, VerificationRequest } from '@matrix-org/matrix-sdk-crypto-wasm';
import { z } from 'zod';
import type { Call } from '../../net/call.ts';
import type { KeyChanges, Verification } from '../key-ring.ts';
import type { RequestSender } from '../engine/request-sender.ts';
import type { Engine } from '../engine/engine.ts';

export interface Verifier {
  list(): Verification[];
  /** Asks all devices of the account; for this account itself, all its other devices. */
  request(account: AccountId): Promise<string>;
  accept(id: string): Promise<void>;
  startEmoji(id: string): Promise<void>;
  scan(id: string, code: Uint8Array): Promise<void>;
  /** The person says that the emoji match, or that the other side has scanned the code. */
  confirm(id: string): Promise<void>;
  cancel(id: string): Promise<void>;
  /** Finds new requests and continues those that need no decision of the person. Call it after every `receive`. */
  follow(events: KeyChanges['events']): Promise<void>;
}

interface Flow {
  request: VerificationRequest;
  /** The devices that were asked; empty once the request was cancelled on those that did not answer. */
  asked: string[];
  code?: Qr | undefined;
  /** Whether its emoji verification has a change callback already. */
  isWatched?: boolean;
}

interface VerifierDeps {
  call: Call;
  engine: Engine;
  requestSender: RequestSender;
  onChange(): void;
}

export function createVerifier({ engine, requestSender, call, onChange }: VerifierDeps): Verifier {
  const { machine, library } = engine;
  const { VerificationMethod, VerificationRequestPhase } = library;
  const flows = new Map<string, Flow>();

  function methods() {
    return [
      VerificationMethod.SasV1,
      VerificationMethod.QrCodeShowV1,
      VerificationMethod.QrCodeScanV1,
      VerificationMethod.ReciprocateV1,
    ];
  }

  function keep(request: VerificationRequest, asked: string[]): void {
    request.registerChangesCallback(async () => onChange());
    flows.set(request.flowId, { request, asked });
    onChange();
  }

  function need(id: string): Flow {
    const flow = flows.get(id);
    if (flow === undefined) throw new AppError('not_found');
    return flow;
  }

  async function send(requests: (Parameters<RequestSender['send']>[0] | undefined)[]): Promise<void> {
    for (const request of requests) if (request !== undefined) await requestSender.send(request);
    onChange();
  }

  async function findDevices(account: AccountId): Promise<string[]> {
    using devices = await machine.getUserDevices(engine.user(account));
    return devices.devices().flatMap((device) => {
      const isAsked = device.isCrossSignedByOwner() && !device.isDehydrated;
      const id = device.deviceId.toString();
      device.free();
      return isAsked ? [id] : [];
    });
  }

  async function ask(account: AccountId): Promise<string> {
    // A device that signed in a moment ago may not be known yet, and only known devices are asked.
    await requestSender.query([account]);
    if (account === engine.account) {
      using identity = await machine.getIdentity(engine.user(account));
      if (!(identity instanceof library.OwnUserIdentity)) throw new AppError('unavailable');
      const [flow, out] = await identity.requestVerification(methods());
      keep(flow, []);
      await send([out]);
      return flow.flowId;
    }
    const [first, ...others] = await findDevices(account);
    if (first === undefined) throw new AppError('unavailable');
    using device = await machine.getDevice(engine.user(account), new library.DeviceId(first));
    if (device === undefined) throw new AppError('unavailable');
    const [flow, out] = device.requestVerification(methods());
    keep(flow, [first, ...others]);
    await send([widen(out, userOf(account), others)]);
    return flow.flowId;
  }

  /** The engine asks only one device of another person; this adds the person's other devices to the request. */
  function widen(out: ToDeviceRequest, user: MatrixUser, others: string[]): ToDeviceRequest {
    const { messages } = Question.parse(JSON.parse(out.body));
    const [content] = Object.values(messages[user] ?? {});
    const wider = { ...messages[user], ...Object.fromEntries(others.map((id) => [id, content])) };
    return new library.ToDeviceRequest(
      out.id,
      out.event_type,
      out.txn_id,
      JSON.stringify({ messages: { [user]: wider } }),
    );
  }

  /** Cancels the request on the devices that did not answer, so that they stop asking the person. */
  async function letGo({ request: own, asked }: Flow): Promise<void> {
    using answered = own.otherDeviceId;
    using user = own.otherUserId;
    const content = { transaction_id: own.flowId, code: 'm.accepted', reason: 'answered on another device' };
    const rest = asked.filter((id) => id !== answered?.toString()).map((id) => [id, content]);
    if (rest.length === 0) return;
    const messages = { [MatrixUser.parse(user.toString())]: Object.fromEntries(rest) };
    await call(sendToDevice, { type: 'm.key.verification.cancel', txn: `${own.flowId}.accepted`, messages });
  }

  function describe(id: string, { request: flow, code }: Flow): Verification {
    using other = flow.otherUserId;
    const about = { id, account: accountOf(MatrixUser.parse(other.toString())), weStarted: flow.weStarted() };
    if (flow.isCancelled() || flow.timedOut()) return { ...about, phase: 'cancelled' };
    if (flow.isDone()) return { ...about, phase: 'done' };
    const running = flow.getVerification();
    if (running instanceof library.Sas) return { ...about, ...describeSas(running) };
    if (
      running instanceof library.Qr &&
      (running.hasBeenScanned() || running.hasBeenConfirmed() || running.reciprocated())
    ) {
      return { ...about, phase: running.hasBeenScanned() && !running.hasBeenConfirmed() ? 'scanned' : 'confirmed' };
    }
    if (!flow.isReady() && running === undefined) return { ...about, phase: 'asked' };
    return { ...about, phase: 'ready', ...(code && { code: new Uint8Array(code.toBytes()) }) };
  }

  /** The emoji exist only after this side's last message was sent, and only this callback reports it. */
  function watch(flow: Flow, sas: Sas): void {
    if (flow.isWatched === true) return;
    flow.isWatched = true;
    sas.registerChangesCallback(async () => onChange());
  }

  /**
   * Continues without the person: accepts an emoji comparison, makes the code, and cancels the request on other
   * devices.
   */
  async function moveOn(flow: Flow): Promise<void> {
    const { request: own } = flow;
    const running = own.getVerification();
    if (running instanceof library.Sas) watch(flow, running);
    if (running instanceof library.Sas && !running.weStarted()) await send([running.accept()]);
    if (own.phase() !== VerificationRequestPhase.Ready) return;
    flow.code ??= await own.generateQrCode();
    await letGo(flow);
    flow.asked = [];
  }

  return {
    list: () => [...flows].map(([id, flow]) => describe(id, flow)),
    request: ask,
    async accept(id) {
      await send([need(id).request.acceptWithMethods(methods())]);
      await moveOn(need(id));
    },
    async startEmoji(id) {
      const started = await need(id).request.startSas();
      if (started === undefined) throw new AppError('unavailable');
      watch(need(id), started[0]);
      await send([started[1]]);
    },
    async scan(id, code) {
      const scan = library.QrCodeScan.fromBytes(new Uint8ClampedArray(code));
      const qr = await need(id).request.scanQrCode(scan);
      await send([qr.reciprocate()]);
    },
    async confirm(id) {
      const running = need(id).request.getVerification();
      if (running instanceof library.Sas) await send(await running.confirm());
      else if (running instanceof library.Qr) await send([running.confirmScanning()]);
      else throw new AppError('unavailable');
    },
    async cancel(id) {
      const flow = need(id);
      await send([flow.request.cancel()]);
      await letGo(flow);
    },
    async follow(events) {
      for (const { sender, type, content } of events) {
        if (!type.startsWith('m.key.verification.')) continue;
        const id = z.string().safeParse(content['transaction_id']).data;
        if (id === undefined) continue;
        using user = new library.UserId(sender);
        const found =
          type === 'm.key.verification.request' && !flows.has(id) && machine.getVerificationRequest(user, id);
        if (found) keep(found, []);
        const flow = flows.get(id);
        if (flow !== undefined) await moveOn(flow);
        onChange();
      }
    },
  };
}

const Question = z.object({ messages: z.record(MatrixUser, z.record(z.string(), z.record(z.string(), z.unknown()))) });

function describeSas(sas: Sas): Pick<Verification, 'phase' | 'emoji'> {
  if (sas.haveWeConfirmed()) return { phase: 'confirmed' };
  const shown = sas.emoji();
  if (shown === undefined) return { phase: 'starting' };
  const emoji = shown.map((one) => {
    const { symbol, description: name } = one;
    one.free();
    return { symbol, name };
  });
  return { phase: 'comparing', emoji };
}
