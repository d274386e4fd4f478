/** Sends a decision or a change to the server, and stores the answer until the socket brings the same register. */
import { changeContact, contactKey, decideContact } from '@dostar/protocol/contract/contacts';
import type { Db } from '../storage/open.ts';
import type { ContactJob } from '../storage/rows.ts';
import type { ClientDeps } from '../deps.ts';
import { endJob } from '../messages/store.ts';
import { callEndpoint } from '../net/http.ts';
import { toRegisterValue } from './store.ts';

export async function performContactJob(db: Db, deps: ClientDeps, job: ContactJob, signal: AbortSignal): Promise<void> {
  const { id: act, peer, decision, changes } = job;
  const answer =
    decision === undefined
      ? await callEndpoint(deps, changeContact, { act, peer, changes: changes ?? {} }, signal)
      : await callEndpoint(deps, decideContact, { act, peer, decision }, signal);
  const { contact, rev } = answer;
  await db.transaction('rw', [db.outbox, db.registers], async () => {
    await endJob(db, job);
    const key = contactKey(peer);
    const known = await db.registers.get(key);
    // The cursor does not move: the socket will bring the same register again, under the same revision.
    if (rev !== undefined && rev > (known?.rev ?? 0))
      await db.registers.put({ key, rev, value: toRegisterValue(contact) });
  });
}
