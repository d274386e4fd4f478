/**
 * The secrets of a device transfer: two keys, six digits and four in return, one sealed account key. The order of the
 * messages is in the contract.
 *
 * Both keys together give the digits. The asker first sends only a hash of its key, so an attacker in between has to
 * choose its own keys before it sees the asker's. The two screens then show the same digits once in a million tries.
 */
import type { AccountId } from '@dostar/protocol/ids';
import { fromBase64Url, toBase64Url } from '../net/base64.ts';

const CURVE = { name: 'ECDH', namedCurve: 'P-256' };
const SECRET_BITS = 256;
const NONCE_BYTES = 12;
const DIGITS = 6;
const COUNTERSIGN = 4;
const ENCODER = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

export interface TransferKey {
  privateKey: CryptoKey;
  /** In the encoding of the wire. */
  publicKey: string;
}

export async function makeTransferKey(): Promise<TransferKey> {
  const pair = await crypto.subtle.generateKey(CURVE, false, ['deriveBits']);
  return { privateKey: pair.privateKey, publicKey: toBase64Url(await exportPoint(pair.publicKey)) };
}

/** The asker's commitment, which it sends before it reveals its key. */
export async function commitTo(publicKey: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', fromBase64Url(publicKey))));
}

export interface TransferSecret {
  digits: string;
  /** The giving device shows it once the digits were right; the person types it into the asking device. */
  countersign: string;
  seal(accountKey: Bytes, random: (size: number) => Bytes): Promise<string>;
  /** Undefined if the other device of this transfer did not seal it. */
  open(sealed: string): Promise<Bytes | undefined>;
}

interface TransferKeys {
  account: AccountId;
  askerKey: string;
  giverKey: string;
}

/** `own` is the key of either side; both sides get the same result. */
export async function agree(own: TransferKey, { account, askerKey, giverKey }: TransferKeys): Promise<TransferSecret> {
  const peer = own.publicKey === askerKey ? giverKey : askerKey;
  const point = await crypto.subtle.importKey('raw', fromBase64Url(peer), CURVE, false, []);
  const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: point }, own.privateKey, SECRET_BITS);
  const base = await crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey', 'deriveBits']);
  const salt = await crypto.subtle.digest('SHA-256', ENCODER.encode(`${askerKey} ${giverKey}`));
  const from = (purpose: string) => ({
    name: 'HKDF',
    hash: 'SHA-256',
    salt,
    info: ENCODER.encode(`dostar hand-over 1 ${purpose} ${account}`),
  });
  const digitsFor = async (purpose: string, length: number): Promise<string> => {
    const number = new DataView(await crypto.subtle.deriveBits(from(purpose), base, 32)).getUint32(0);
    return String(number % 10 ** length).padStart(length, '0');
  };
  const key = await crypto.subtle.deriveKey(from('key'), base, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ]);
  return {
    digits: await digitsFor('digits', DIGITS),
    countersign: await digitsFor('countersign', COUNTERSIGN),
    async seal(accountKey, random) {
      const iv = random(NONCE_BYTES);
      const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, accountKey));
      return toBase64Url(new Uint8Array([...iv, ...sealed]));
    },
    async open(sealed) {
      const bytes = fromBase64Url(sealed);
      try {
        const iv = bytes.slice(0, NONCE_BYTES);
        return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.slice(NONCE_BYTES)));
      } catch {
        return undefined;
      }
    },
  };
}

async function exportPoint(key: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.exportKey('raw', key));
}
