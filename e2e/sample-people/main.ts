/**
 * Called by `./dev up` with the origin, the server, the mail catcher and a marker file. Creates the sample people, or
 * keeps existing ones, and prints how to sign in.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { openInbox } from '../support/inbox.ts';
import { createSamplePeople } from './create-people.ts';
import { samplePassword, samplePeople } from './script.ts';

const [origin = '', server = '', webUrl = '', smtpUrl = '', marker = ''] = process.argv.slice(2);
const sent = await createSamplePeople({ origin, server, inbox: openInbox({ webUrl, smtpUrl }) });
if (sent !== undefined) writeFileSync(marker, '');
const { alice, bob } = samplePeople;
process.stdout.write(
  existsSync(marker)
    ? `${alice.email} or ${bob.email}, password: ${samplePassword}\n`
    : 'incomplete, since an earlier start was interrupted; to start over: ./dev down --erase\n',
);
