// Checks of the browser APIs that the encryption relies on.
import { openOpaque } from '../../core/session/open-opaque.ts';
import { type Check, passIf } from './check.ts';

const words = 'Сәлем, достар! Hello, friends! Привет, друзья! 👋';
const message = new TextEncoder().encode(words);
const fileBytes = 5 * 1024 * 1024;

function areSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(count));
}

async function makeKey(): Promise<CryptoKey> {
  return await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}

async function agreeOn(own: CryptoKey, other: CryptoKey): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'X25519', public: other }, own, 256));
}

async function makePair(name: 'X25519' | 'Ed25519'): Promise<CryptoKeyPair> {
  const uses: KeyUsage[] = name === 'X25519' ? ['deriveBits'] : ['sign', 'verify'];
  return (await crypto.subtle.generateKey({ name }, false, uses)) as CryptoKeyPair;
}

async function fillRandom(count: number): Promise<Uint8Array<ArrayBuffer>> {
  const file = new Uint8Array(count);
  // The browser returns at most 64 KB of random bytes per call.
  for (let at = 0; at < count; at += 65_536) crypto.getRandomValues(file.subarray(at, at + 65_536));
  return await Promise.resolve(file);
}

export const encryptionChecks: readonly Check[] = [
  {
    id: 'random',
    run() {
      const seen = new Set(Array.from({ length: 1000 }, () => randomBytes(16).join()));
      return passIf(seen.size === 1000, `${seen.size} of 1000 different`);
    },
  },
  {
    id: 'seal',
    async run() {
      const key = await makeKey();
      const iv = randomBytes(12);
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, message);
      const opened = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed));
      return passIf(areSame(opened, message) && !areSame(new Uint8Array(sealed), message), 'AES-256-GCM');
    },
  },
  {
    id: 'tamper',
    async run() {
      const key = await makeKey();
      const iv = randomBytes(12);
      const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, message));
      sealed[0] = (sealed[0] ?? 0) ^ 1;
      try {
        await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed);
        return { state: 'fail', detail: 'a changed message was opened' };
      } catch {
        return { state: 'pass' };
      }
    },
  },
  {
    id: 'agree',
    async run() {
      const [alice, bob] = await Promise.all([makePair('X25519'), makePair('X25519')]);
      const left = await agreeOn(alice.privateKey, bob.publicKey);
      const right = await agreeOn(bob.privateKey, alice.publicKey);
      return passIf(areSame(left, right), 'X25519');
    },
  },
  {
    id: 'sign',
    async run() {
      const { privateKey, publicKey } = await makePair('Ed25519');
      const signature = await crypto.subtle.sign('Ed25519', privateKey, message);
      const isOwn = await crypto.subtle.verify('Ed25519', publicKey, signature, message);
      const isOther = await crypto.subtle.verify('Ed25519', publicKey, signature, message.slice(1));
      return passIf(isOwn && !isOther, 'Ed25519');
    },
  },
  {
    id: 'file',
    async run() {
      const file = await fillRandom(fileBytes);
      const key = await crypto.subtle.generateKey({ name: 'AES-CTR', length: 256 }, false, ['encrypt', 'decrypt']);
      const how = { name: 'AES-CTR', counter: randomBytes(16), length: 64 };
      const started = performance.now();
      const sealed = await crypto.subtle.encrypt(how, key, file);
      await crypto.subtle.digest('SHA-256', sealed);
      const opened = new Uint8Array(await crypto.subtle.decrypt(how, key, sealed));
      const durationMs = Math.round(performance.now() - started);
      return { ...passIf(areSame(opened, file)), durationMs };
    },
  },
  {
    id: 'engine',
    async run() {
      const { tryEngine } = await import('@dostar/client/self-check');
      const started = performance.now();
      const isWhole = await tryEngine(words);
      return { ...passIf(isWhole), durationMs: Math.round(performance.now() - started) };
    },
  },
  {
    id: 'unlock',
    async run() {
      const { tryUnlock } = await import('@dostar/client/self-check');
      using opaque = openOpaque();
      const started = performance.now();
      const isOpened = await tryUnlock(opaque.client, randomBytes);
      return { ...passIf(isOpened), durationMs: Math.round(performance.now() - started) };
    },
  },
];
