/** Servers with one safeguard left out; the same checks must notice, and for the right reason. */
import type { Change } from '@dostar/client/testing/change';

interface Variant {
  what: string;
  changes: Change[];
  /** The checks of which one must fail. */
  shows: string[];
  /** Where it shows: among the recipients, or when a worker dies. */
  where: 'delivery' | 'kill';
}

const WEB_PUSH = 'platform/delivery/web-push.ts';
const OUTCOME = 'platform/delivery/push-outcome.ts';

export const VARIANTS: Record<string, Variant> = {
  removal: {
    what: 'targets that are gone are kept',
    changes: [
      { file: OUTCOME, phrase: "if (status === 404 || status === 410) return { kind: 'gone' };", replacement: '' },
    ],
    shows: ['a target that is gone is forgotten'],
    where: 'delivery',
  },
  'back-off': {
    what: 'nobody listens to Retry-After',
    changes: [{ file: OUTCOME, phrase: 'readWait(retryAfter, now)', replacement: 'undefined' }],
    shows: ['a push service that wants to be left alone is'],
    where: 'delivery',
  },
  'host-list': {
    what: 'any address is called',
    changes: [
      {
        file: WEB_PUSH,
        phrase: "if (!url || url.protocol !== 'https:'",
        replacement: 'if (url) return true; if (!url',
      },
    ],
    shows: ['an address of no push service is refused', 'no other address is called'],
    where: 'delivery',
  },
  padding: {
    what: 'a push is as long as what it says',
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
    what: 'whoever looks is told too',
    changes: [
      { file: 'features/messaging/push/jobs.ts', phrase: 'focused.has(each.target.device)', replacement: 'false' },
    ],
    shows: ['a device that is looked at is not told'],
    where: 'delivery',
  },
  lease: {
    what: 'a row is gone once it is taken',
    changes: [
      {
        file: 'features/messaging/push/due-store.ts',
        phrase: 'update push_due p set since = ${reclaimAt} from due where p.owner = due.owner and due.has_target',
        replacement: 'delete from push_due p using due where p.owner = due.owner and due.has_target',
      },
    ],
    shows: ['after a kill everybody is told'],
    where: 'kill',
  },
};

export const VARIANT_NAMES = Object.keys(VARIANTS);
