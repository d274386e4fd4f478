/** A software authenticator: makes ES256 passkeys and answers challenges in the format of WebAuthn. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type {
  CreationOptions,
  CreationResponse,
  RequestOptions,
  AssertionResponse,
} from '@dostar/protocol/contract/passkeys';
import { ORIGIN } from './test-cluster.ts';

const PRESENT = 0b1;
const VERIFIED = 0b100;
const HAS_KEY = 0b1000000;

export interface SoftPasskey {
  id: string;
  userHandle: string;
  privateKey: KeyObject;
}

interface Faults {
  origin?: string;
  isVerified?: boolean;
}

export function makePasskey(
  options: CreationOptions,
  faults: Faults = {},
): { passkey: SoftPasskey; response: CreationResponse } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const rawId = randomBytes(32);
  const cose = cborMap([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(rawId.length);
  const authData = Buffer.concat([
    authenticatorData(options.rp.id, HAS_KEY, faults),
    Buffer.alloc(16),
    length,
    rawId,
    cose,
  ]);
  const attestation = cborMap([
    ['fmt', 'none'],
    ['attStmt', null],
    ['authData', authData],
  ]);
  const id = rawId.toString('base64url');
  return {
    passkey: { id, userHandle: options.user.id, privateKey },
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, faults).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    },
  };
}

export function answer(passkey: SoftPasskey, options: RequestOptions, faults: Faults = {}): AssertionResponse {
  const data = authenticatorData(options.rpId, 0, faults);
  const client = clientData('webauthn.get', options.challenge, faults);
  const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
  return {
    id: passkey.id,
    rawId: passkey.id,
    type: 'public-key',
    response: {
      authenticatorData: data.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      signature: sign('sha256', signed, passkey.privateKey).toString('base64url'),
      userHandle: passkey.userHandle,
    },
  };
}

function clientData(type: string, challenge: string, { origin = ORIGIN }: Faults): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** Counters stay at zero, as for synced passkeys. */
function authenticatorData(rpId: string, flags: number, { isVerified = true }: Faults): Buffer {
  const flag = Buffer.from([PRESENT | (isVerified ? VERIFIED : 0) | flags]);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), flag, Buffer.alloc(4)]);
}

type Cbor = number | string | Uint8Array | null;

/** The part of CBOR that an attestation of format `none` needs; `null` stands for the empty map. */
function cborMap(entries: [number | string, Cbor][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, value]) => [cbor(key), cbor(value)])]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (value === null) return head(5, 0);
  return Buffer.concat([head(2, value.length), value]);
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
}
