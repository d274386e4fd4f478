/** Servers with one safeguard left out. The check that belongs to it must fail. */
import type { Change } from '@dostar/client/testing/change';

interface Variant {
  what: string;
  changes: Change[];
  /** One of these checks must fail. */
  shows: string[];
  /** Which part of the proof notices: the checks of delivery, or the kill of a worker. */
  where: 'delivery' | 'kill';
}

const HOSTS = 'platform/delivery/push-hosts.ts';
const OUTCOME = 'platform/delivery/push-outcome.ts';

export const VARIANTS: Record<string, Variant> = {
  removal: {
    what: 'targets that are gone stay stored',
    changes: [
      { file: OUTCOME, phrase: "if (status === 404 || status === 410) return { kind: 'gone' };", replacement: '' },
    ],
    shows: ['a target that is gone is deleted'],
    where: 'delivery',
  },
  'back-off': {
    what: 'Retry-After is ignored',
    changes: [{ file: OUTCOME, phrase: 'readWait(retryAfter, now)', replacement: 'undefined' }],
    shows: ['Retry-After is respected'],
    where: 'delivery',
  },
  'host-list': {
    what: 'any address is called',
    changes: [
      {
        file: HOSTS,
        phrase: "if (!url || url.protocol !== 'https:'",
        replacement: 'if (url) return true; if (!url',
      },
    ],
    shows: ['an address that is not a push service is refused', 'no other address is called'],
    where: 'delivery',
  },
  padding: {
    what: 'a push is as long as its content',
    changes: [
      {
        file: 'features/messaging/push/payload.ts',
        phrase: "return text + ' '.repeat(Math.max(0, SIZE - Buffer.byteLength(text)));",
        replacement: 'return text;',
      },
    ],
    shows: ['every push has one size'],
    where: 'delivery',
  },
  focus: {
    what: 'devices that show the chat get a push too',
    changes: [
      { file: 'features/messaging/push/jobs.ts', phrase: 'focused.has(each.target.device)', replacement: 'false' },
    ],
    shows: ['a device that shows the chat gets no push'],
    where: 'delivery',
  },
  lease: {
    what: 'a job is deleted when it is taken',
    changes: [
      {
        file: 'features/messaging/push/due-store.ts',
        phrase: 'update push_due p set since = ${reclaimAt} from due where p.owner = due.owner and due.has_target',
        replacement: 'delete from push_due p using due where p.owner = due.owner and due.has_target',
      },
    ],
    shows: ['after a kill every device gets its push'],
    where: 'kill',
  },
};

export const VARIANT_NAMES = Object.keys(VARIANTS);
