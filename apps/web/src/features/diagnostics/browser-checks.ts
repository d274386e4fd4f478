import { type Check, passIf } from './check.ts';
import { integrityCheck } from './integrity-check.ts';
import { openDatabase } from './try-database.ts';

const kazakhLetters = 'ӘәҒғҚқҢңӨөҰұҮүҺһІі';
/** The server rejects email codes and signed timestamps if the clocks differ by more than this. */
const clockTolerance = 120_000;
const narrowest = 320;
/** The smallest valid WebAssembly module: only the header. */
const emptyModule = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

async function fetchVersion(): Promise<Response> {
  return await fetch('/version.json', { cache: 'no-store' });
}

export const browserChecks: readonly Check[] = [
  { id: 'secure', run: () => passIf(window.isSecureContext, window.location.protocol) },
  { id: 'crypto', run: () => passIf(typeof window.crypto.subtle === 'object') },
  { id: 'locks', run: () => passIf('locks' in navigator) },
  {
    id: 'wasm',
    async run() {
      await WebAssembly.instantiate(emptyModule);
      return { state: 'pass' };
    },
  },
  {
    id: 'database',
    async run() {
      const database = await openDatabase('dostar-check');
      database.close();
      window.indexedDB.deleteDatabase('dostar-check');
      return { state: 'pass' };
    },
  },
  {
    id: 'settings',
    run() {
      window.localStorage.setItem('check', '1');
      const isKept = window.localStorage.getItem('check') === '1';
      window.localStorage.removeItem('check');
      return passIf(isKept);
    },
  },
  { id: 'cookies', run: () => passIf(navigator.cookieEnabled) },
  { id: 'worker', run: () => passIf('serviceWorker' in navigator && 'Worker' in window) },
  {
    id: 'letters',
    async run() {
      const faces = await document.fonts.load('16px "Onest Variable"', kazakhLetters);
      return passIf(faces.length > 0, `${faces.length} files`);
    },
  },
  { id: 'language', run: ({ tag }) => passIf(document.documentElement.lang === tag, document.documentElement.lang) },
  {
    id: 'width',
    run() {
      const { scrollWidth } = document.documentElement;
      const { innerWidth, innerHeight } = window;
      return passIf(innerWidth >= narrowest && scrollWidth <= innerWidth, `${innerWidth}x${innerHeight}`);
    },
  },
  {
    id: 'clock',
    async run() {
      const reply = await fetchVersion();
      const told = Date.parse(reply.headers.get('date') ?? '');
      if (Number.isNaN(told)) return { state: 'fail', detail: 'no date' };
      const ahead = Date.now() - told;
      return passIf(Math.abs(ahead) < clockTolerance, `${Math.round(ahead / 1000)} s`);
    },
  },
  {
    id: 'build',
    async run() {
      const reply = await fetchVersion();
      const { build } = (await reply.json()) as { build?: unknown };
      return passIf(build === __BUILD__, __BUILD__);
    },
  },
  integrityCheck,
];
