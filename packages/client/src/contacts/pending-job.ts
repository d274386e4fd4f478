import { DEFAULT_SERVER_PREFERENCES } from '@dostar/protocol/contract/contact-preferences';
import type { ContactRecord, ContactState, Decision } from '@dostar/protocol/contract/contacts';
import type { ContactJob } from '../storage/rows.ts';

const EMPTY_RECORD: ContactRecord = {
  state: 'none',
  peerAccepts: false,
  ...DEFAULT_SERVER_PREFERENCES,
  since: 0,
};

/** The contact with the job applied: shown until the server's register arrives. */
export function applyPendingJob(
  record: ContactRecord = EMPTY_RECORD,
  { decision, changes }: ContactJob,
): ContactRecord {
  const decided = decision === undefined ? record : { ...record, state: stateAfter(record.state, decision) };
  const named = Object.fromEntries(Object.entries(changes ?? {}).filter(([, value]) => value !== undefined));
  return { ...decided, ...named };
}

/** The server's rules, except for unblocking: only the server knows the state before the block. */
function stateAfter(state: ContactState, decision: Decision): ContactState {
  switch (decision) {
    case 'accept':
      return state === 'blocked' ? 'blocked' : 'accepted';
    case 'decline':
      return state === 'asked' ? 'declined' : state;
    case 'remove':
      if (state === 'asked') return 'declined';
      return state === 'accepted' ? 'none' : state;
    case 'block':
      return 'blocked';
    case 'unblock':
      return state === 'blocked' ? 'none' : state;
  }
}
