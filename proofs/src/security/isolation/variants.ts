/** Servers with one safeguard left out. The check that belongs to it must fail. */
import type { Change } from '@dostar/client/testing/change';

interface Variant {
  what: string;
  changes: Change[];
  /** One of these checks must fail. */
  shows: string[];
}

const HTTP = 'platform/http/server.ts';
const CALLER = 'platform/http/caller.ts';

export const VARIANTS: Record<string, Variant> = {
  'origin-check': {
    what: 'a page of another origin may call with our cookie',
    changes: [
      {
        file: 'platform/http/our-origin.ts',
        phrase: 'headers.origin === undefined || origins.includes(headers.origin)',
        replacement: 'true',
      },
    ],
    shows: ['refused: other origin'],
  },
  'csrf-header': {
    what: 'a form of another origin may call with our cookie',
    changes: [
      {
        file: HTTP,
        phrase: "if (request.headers[CALL_HEADER] === undefined) throw new AppError('forbidden');",
        replacement: '',
      },
      { file: CALLER, phrase: 'meant !== ANY_ACCOUNT', replacement: 'meant !== undefined && meant !== ANY_ACCOUNT' },
    ],
    shows: ['refused: no header'],
  },
  'self-check': {
    what: 'a signed-in user may act on any account',
    changes: [
      { file: CALLER, phrase: "if (caller.account !== account) throw new AppError('forbidden');", replacement: '' },
    ],
    shows: ['refused: other account'],
  },
  'session-check': {
    what: 'a session never expires',
    changes: [
      {
        file: 'features/identity/sessions/service.ts',
        phrase: "if (row.expiresAt <= now) throw new AppError('unauthenticated', { reason: 'expired' });",
        replacement: '',
      },
    ],
    shows: ['refused: expired'],
  },
  'factor-check': {
    what: 'a password alone is enough for an account with a second factor',
    changes: [
      { file: CALLER, phrase: "if (caller.isPending) throw new AppError('factor_required');", replacement: '' },
    ],
    shows: ['refused: factor owed'],
  },
  'account-check': {
    what: 'a call acts for the account that signed in last in this browser',
    changes: [{ file: CALLER, phrase: 'meant !== caller.account', replacement: 'false' }],
    shows: ['refused: meant for another'],
  },
  'owner-check': {
    what: 'a session is ended by its id, whatever account it belongs to',
    changes: [
      {
        file: 'features/identity/sessions/store.ts',
        phrase: ".deleteFrom('session')\n    .where('owner', '=', owner)",
        replacement: ".deleteFrom('session')",
      },
    ],
    shows: ['no call changes another account'],
  },
};

export const VARIANT_NAMES = Object.keys(VARIANTS);
