/** A device's keys as the engine would make and sign them, with Node's Ed25519. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { CrossSigningKey, DeviceKeys, SignedKey } from '@dostar/protocol/contract/device-keys';
import { userOf } from '@dostar/protocol/matrix-ids';
import type { MatrixDevice, MatrixUser } from '@dostar/protocol/matrix-ids';
import { signedPart } from '../src/features/encryption/device-keys/signed-json.ts';
import type { Person, SignedIn } from './test-cluster.ts';

interface SigningKey {
  publicKey: string;
  sign: (object: object) => string;
}

export function makeSigningKey(): SigningKey {
  const { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ed25519');
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return {
    publicKey: unpadded(raw),
    sign: (object) => unpadded(sign(null, Buffer.from(signedPart(object)), privateKey)),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

export class TestDevice {
  readonly user: MatrixUser;
  readonly id: MatrixDevice;
  readonly key = makeSigningKey();
  readonly deviceKeys: DeviceKeys;
  #made = 0;

  constructor(person: SignedIn, id: string = person.device) {
    this.user = userOf(person.account);
    this.id = id as MatrixDevice;
    const keys = { [`ed25519:${id}`]: this.key.publicKey, [`curve25519:${id}`]: unpadded(randomBytes(32)) };
    const algorithms = ['m.olm.v1.curve25519-aes-sha2', 'm.megolm.v1.aes-sha2'];
    this.deviceKeys = this.signed({ user_id: this.user, device_id: this.id, algorithms, keys });
  }

  signed<T extends object>(object: T): T & Pick<DeviceKeys, 'signatures'> {
    return { ...object, signatures: { [this.user]: { [`ed25519:${this.id}`]: this.key.sign(object) } } };
  }

  makeKey(): SignedKey {
    return this.signed({ key: unpadded(randomBytes(32)) });
  }

  /** Named in the order in which they are made. */
  makeKeys(count: number): Record<string, SignedKey> {
    return Object.fromEntries(
      Array.from({ length: count }, () => [
        `signed_curve25519:K${String((this.#made += 1)).padStart(6, '0')}`,
        this.makeKey(),
      ]),
    );
  }

  makeFallback(name = 'F1'): Record<string, SignedKey> {
    return { [`signed_curve25519:${name}`]: this.signed({ key: unpadded(randomBytes(32)), fallback: true }) };
  }
}

/** The three cross-signing keys of a user. */
export class TestIdentity {
  readonly user: MatrixUser;
  readonly master = makeSigningKey();
  readonly selfSigning = makeSigningKey();
  readonly userSigning = makeSigningKey();

  constructor(person: Person) {
    this.user = userOf(person.account);
  }

  get upload() {
    return {
      master_key: this.#key('master', this.master),
      self_signing_key: this.signBy(this.master, this.#key('self_signing', this.selfSigning)),
      user_signing_key: this.signBy(this.master, this.#key('user_signing', this.userSigning)),
    };
  }

  signBy<T extends { signatures?: CrossSigningKey['signatures'] }>(signer: SigningKey, object: T) {
    const byKey = { [`ed25519:${signer.publicKey}`]: signer.sign(object) };
    return { ...object, signatures: { [this.user]: byKey } };
  }

  /** The device's keys, signed by the device and by this identity. */
  signDevice({ user, deviceKeys }: TestDevice): DeviceKeys {
    const { signatures } = this.signBy(this.selfSigning, deviceKeys);
    return { ...deviceKeys, signatures: { [user]: { ...deviceKeys.signatures[user], ...signatures[user] } } };
  }

  #key(usage: 'master' | 'self_signing' | 'user_signing', { publicKey }: SigningKey): CrossSigningKey {
    return { user_id: this.user, usage: [usage], keys: { [`ed25519:${publicKey}`]: publicKey } };
  }
}
