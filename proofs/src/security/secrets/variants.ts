/** Servers that store or reveal too much; the search must find it in the expected place. */
import type { Change } from '@dostar/client/testing/change';
import type { EvidenceSource } from './planted-secrets.ts';

interface Variant {
  what: string;
  changes: Change[];
  /** The expected finding and its place. */
  shows: { kind: string; place: EvidenceSource };
}

export const VARIANTS: Record<string, Variant> = {
  'logs-redaction': {
    what: 'calls are logged with their headers, without redaction',
    changes: [
      {
        file: 'platform/http/server.ts',
        phrase: '{ request: request.id, method: request.method, route,',
        replacement: '{ request: request.id, headers: request.headers, method: request.method, route,',
      },
      { file: 'platform/observability/log.ts', phrase: 'remove: true,', replacement: 'remove: true, paths: [],' },
    ],
    shows: { kind: 'session token', place: 'log' },
  },
  'code-hash': {
    what: 'codes are stored unhashed',
    changes: [
      {
        file: 'platform/security/one-time-codes.ts',
        phrase: 'return sealer.mac(`code ${purpose}`, code);',
        replacement: 'return Buffer.from(code);',
      },
    ],
    shows: { kind: 'email code', place: 'database' },
  },
  'token-hash': {
    what: 'sessions are kept with their secret',
    changes: [
      {
        file: 'features/identity/sessions/token.ts',
        phrase: "return createHash('sha256').update(secret).digest();",
        replacement: 'return Buffer.from(secret);',
      },
    ],
    shows: { kind: 'session secret', place: 'database' },
  },
  'job-seal': {
    what: 'emails are on the bus unencrypted',
    changes: [
      {
        file: 'platform/bus/jobs.ts',
        phrase: 'sealer.seal(contextOf(kind, msgID), kind.payload.parse(payload))',
        replacement: 'JSON.stringify(kind.payload.parse(payload))',
      },
      {
        file: 'platform/bus/jobs.ts',
        phrase: 'sealer.open(contextOf(kind, id), message.string())',
        replacement: 'JSON.parse(message.string())',
      },
    ],
    shows: { kind: 'email code', place: 'nats' },
  },
};

export const VARIANT_NAMES = Object.keys(VARIANTS);
