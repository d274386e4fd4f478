/** Servers with one safeguard left out or broken; the same inputs must notice. */
import type { Change } from '@dostar/client/testing/change';
import { CLAIMS } from './claims.ts';

interface Variant {
  what: string;
  changes: Change[];
  /** The claim that must fail. */
  shows: string;
}

const PARSED = { file: 'platform/http/read-json.ts', phrase: '  check(value, 0);\n' };

export const VARIANTS: Record<string, Variant> = {
  'storable-check': {
    what: 'text that PostgreSQL can not store reaches it',
    changes: [
      {
        file: 'platform/http/read-json.ts',
        phrase: "if (!isStorable(value)) throw new SyntaxError('text that can not be stored');",
        replacement: '',
      },
    ],
    shows: CLAIMS.error,
  },
  'linear-parser': {
    what: 'parsing takes time in proportion to the square of the length',
    changes: [
      {
        ...PARSED,
        replacement: '  check(value, 0);\n  for (let at = 0; at < text.length; at += 1) text.indexOf("\\u0007", at);\n',
      },
    ],
    shows: CLAIMS.cpu,
  },
  'bounded-memory': {
    what: 'every body is kept in memory',
    changes: [
      {
        ...PARSED,
        replacement: '  check(value, 0);\n  ((globalThis as any).kept ??= []).push(Buffer.alloc(50_000, text));\n',
      },
    ],
    shows: CLAIMS.memory,
  },
  'quiet-log': {
    what: 'every body is logged',
    changes: [{ ...PARSED, replacement: '  check(value, 0);\n  console.log(text);\n' }],
    shows: CLAIMS.secret,
  },
};

export const VARIANT_NAMES = Object.keys(VARIANTS);

/** A few routes that take free text are enough for the variants. */
export const NOTICING = [
  'POST /api/account-data/put',
  'POST /api/devices/rename',
  'POST /api/messages/send',
  'POST /api/contacts/report',
  'POST /api/privacy',
  'PUT /api/push/target',
];
