/** A device with the real engine against the real server. Requests are sent as the engine made them. */
// oxlint-disable-next-line no-restricted-imports -- This test is a client: the server itself never opens a message.
import * as library from '@matrix-org/matrix-sdk-crypto-wasm';
import * as backup from '@dostar/protocol/contract/key-backup';
import type { Endpoint } from '@dostar/protocol/contract/endpoint';
import * as keys from '@dostar/protocol/contract/device-keys';
import { sendToDevice } from '@dostar/protocol/contract/to-device';
import { directChat } from '@dostar/protocol/ids';
import type { AccountId } from '@dostar/protocol/ids';
import { roomOf, userOf } from '@dostar/protocol/matrix-ids';
import { REALTIME_VERSION } from '@dostar/protocol/realtime';
import type { SignedIn, TestSocket, TestFixture } from './test-cluster.ts';

interface EngineRequest {
  id?: string | undefined;
  type: library.RequestType;
  body: string;
}

export interface Sealed {
  sender: string;
  content: Record<string, unknown>;
}

export class EngineDevice {
  readonly person: SignedIn;
  readonly machine: library.OlmMachine;
  readonly #cluster: TestFixture;
  #token: string | null = null;

  private constructor(cluster: TestFixture, person: SignedIn, machine: library.OlmMachine) {
    this.#cluster = cluster;
    this.person = person;
    this.machine = machine;
  }

  static async open(cluster: TestFixture, person: SignedIn): Promise<EngineDevice> {
    await library.initAsync();
    const user = new library.UserId(userOf(person.account));
    const machine = await library.OlmMachine.initialize(user, new library.DeviceId(person.device));
    const device = new EngineDevice(cluster, person, machine);
    await device.sync();
    return device;
  }

  /** Publishes an identity, as the first device of an account does. */
  async bootstrap(): Promise<void> {
    const requests = await this.machine.bootstrapCrossSigning(true);
    if (requests.uploadKeysRequest) await this.dispatch(requests.uploadKeysRequest);
    await this.call(keys.uploadSigningKeys, JSON.parse(requests.uploadSigningKeysRequest.body) as object);
    const { failures } = await this.call(
      keys.uploadSignatures,
      JSON.parse(requests.uploadSignaturesRequest.body) as object,
    );
    if (Object.keys(failures).length > 0) throw new Error(`signatures refused: ${JSON.stringify(failures)}`);
    await this.sync();
  }

  /** Receives all waiting events, acks them and sends the engine's requests. */
  async sync(): Promise<void> {
    using socket = await this.#cluster.connect(this.person);
    socket.say({ t: 'resume', v: REALTIME_VERSION, cursor: null, toDevice: this.#token });
    await socket.until(() => socket.all('to_device').length > 0, 'the first frame');
    for (const frame of await this.#framesOf(socket)) {
      const lists = new library.DeviceLists(
        frame.changed.map((user) => new library.UserId(user)),
        [],
      );
      await this.machine.receiveSyncChanges(
        JSON.stringify(frame.events),
        lists,
        new Map(Object.entries(frame.oneTimeKeysCount)),
        new Set(frame.unusedFallbackKeyTypes),
        new library.DecryptionSettings(library.TrustRequirement.Untrusted),
      );
      this.#token = frame.token;
    }
    await this.flush();
  }

  async #framesOf(socket: TestSocket) {
    socket.say({ t: 'ping', n: 1 });
    await socket.until(() => socket.all('pong').length > 0, 'an echo');
    return socket.all('to_device');
  }

  async flush(): Promise<void> {
    for (let round = 0; round < 10; round += 1) {
      const requests = (await this.machine.outgoingRequests()) as EngineRequest[];
      if (requests.length === 0) return;
      for (const request of requests) await this.dispatch(request);
    }
  }

  async dispatch(request: EngineRequest): Promise<void> {
    const reply = await this.#send(request, JSON.parse(request.body) as object);
    if (request.id !== undefined) await this.machine.markRequestAsSent(request.id, request.type, JSON.stringify(reply));
  }

  async #send(request: EngineRequest, body: object): Promise<unknown> {
    switch (request.type) {
      case library.RequestType.KeysUpload:
        return this.call(keys.uploadKeys, body);
      case library.RequestType.KeysQuery:
        return this.call(keys.queryKeys, body);
      case library.RequestType.KeysClaim:
        return this.call(keys.claimKeys, body);
      case library.RequestType.SignatureUpload:
        return this.call(keys.uploadSignatures, body);
      case library.RequestType.ToDevice: {
        const { event_type: type, txn_id: txn } = request as library.ToDeviceRequest;
        return this.call(sendToDevice, { type, txn, ...body });
      }
      case library.RequestType.KeysBackup:
        return this.call(backup.putBackupKeys, { version: (request as library.KeysBackupRequest).version, ...body });
      case library.RequestType.RoomMessage:
      default:
        throw new Error(`a request of type ${request.type} has nowhere to go`);
    }
  }

  async call(endpoint: Endpoint, body?: object) {
    const answer = await this.#cluster.call(endpoint, this.person, body);
    if (answer.status !== 200) throw new Error(`${endpoint.path}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  async seal(to: SignedIn, text: string): Promise<Sealed> {
    const users = () => [this.person, to].map(({ account }) => new library.UserId(userOf(account)));
    await this.machine.updateTrackedUsers(users());
    await this.flush();
    const claim = await this.machine.getMissingSessions(users());
    if (claim) await this.dispatch(claim);
    const settings = new library.EncryptionSettings();
    settings.sharingStrategy = library.CollectStrategy.identityBasedStrategy();
    for (const request of await this.machine.shareRoomKey(this.#room(to.account), users(), settings)) {
      await this.dispatch(request);
    }
    const content = await this.machine.encryptRoomEvent(this.#room(to.account), 'test', JSON.stringify({ text }));
    return { sender: userOf(this.person.account), content: JSON.parse(content) as Sealed['content'] };
  }

  /** Throws the engine's error. */
  async open(peer: AccountId, sealed: Sealed): Promise<string> {
    await this.machine.updateTrackedUsers([new library.UserId(userOf(peer))]);
    await this.flush();
    const room = roomOf(directChat(this.person.account, peer));
    const event = { type: 'm.room.encrypted', event_id: '$e', origin_server_ts: 1, room_id: room, ...sealed };
    const trust = new library.DecryptionSettings(library.TrustRequirement.CrossSignedOrLegacy);
    const opened = await this.machine.decryptRoomEvent(JSON.stringify(event), this.#room(peer), trust);
    return (JSON.parse(opened.event) as { content: { text: string } }).content.text;
  }

  #room(peer: AccountId): library.RoomId {
    return new library.RoomId(roomOf(directChat(this.person.account, peer)));
  }
}
