// The unmodified Appwrite packages work with this server, on an object store and on a folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startCeph, startOpenId } from '@dostar/tools/servers';
import { REPO_ROOT } from '../harness/lib/engines.ts';
import type { Report } from '../harness/lib/report.ts';
import { runProof } from '../harness/lib/run-proof.ts';
import { startServers } from '../harness/lib/servers.ts';
import { startInbox } from '../harness/accounts/inbox.ts';
import { ACCOUNTS, LIMITS } from './sdk/accounts.ts';
import { DECISIONS } from './sdk/decisions.ts';
import { DOCUMENTS } from './sdk/documents.ts';
import { FACTORS } from './sdk/factors.ts';
import { DEFINITION } from './sdk/service-definition.ts';
import { GOOGLE } from './sdk/google.ts';
import { EMAILS } from './sdk/emails.ts';
import { NODE_PACKAGE } from './sdk/node-package.ts';
import { proveInBrowser } from './sdk/page/prove.ts';
import { JWTS } from './sdk/jwts.ts';
import { PREVIEWS } from './sdk/previews.ts';
import { forgetFilled, QUERIES } from './sdk/queries.ts';
import { REALTIME } from './sdk/realtime.ts';
import { createFixture } from './sdk/fixture.ts';
import type { Outside } from './sdk/fixture.ts';
import { STORAGE } from './sdk/storage.ts';
import { TARGETS } from './sdk/targets.ts';
import { TITLES } from './sdk/titles.ts';
import { TRANSPORT } from './sdk/transport.ts';

const ASSERTIONS = [
  ...TRANSPORT,
  ...ACCOUNTS,
  ...JWTS,
  ...EMAILS,
  ...GOOGLE,
  ...FACTORS,
  ...DOCUMENTS,
  ...QUERIES,
  ...STORAGE,
  ...PREVIEWS,
  ...REALTIME,
  ...TARGETS,
  ...NODE_PACKAGE,
  ...LIMITS,
];
const FOLDER = join(REPO_ROOT, '.dev/proofs/sdk');

await runProof({
  name: 'sdk',
  claim: 'unmodified appwrite 27.0.0 and node-appwrite 27.1.0 get the answers that they expect',
  async run(report, { isShort }) {
    mkdirSync(FOLDER, { recursive: true });
    const file = join(FOLDER, 'service.json');
    writeFileSync(file, JSON.stringify(DEFINITION));
    await using inbox = await startInbox('sdk');
    await using google = await startOpenId({ dir: join(FOLDER, 'openid'), port: await freePort() });
    const env = { APPWRITE_CONFIG_FILE: file, SMTP_URL: inbox.smtpUrl, ...google.env };
    const outside = { inbox, issuer: google.env.GOOGLE_ISSUER };
    await proveOn(report, outside, 'a folder', { ...env, BLOBS_DIR: join(FOLDER, 'blobs') });
    if (!isShort) {
      await using ceph = await startCeph({ dir: join(FOLDER, 'ceph'), port: await freePort() });
      await proveOn(report, outside, 'an object store', { ...env, ...ceph.env });
    }
    await proveInBrowser(report, { ...env, BLOBS_DIR: join(FOLDER, 'blobs') });
    const decided = DECISIONS.map(([numbers, what, why]) => `  ${numbers.join(', ').padEnd(7)} ${what}: ${why}`);
    report.say(`Different from the reference by decision:\n${decided.join('\n')}\n`);
    const built = new Set(ASSERTIONS.map(({ number }) => number));
    const missing = Object.entries(TITLES).filter(([number]) => !built.has(Number(number)));
    report.figure('assertions', `${built.size} of ${Object.keys(TITLES).length}`);
    if (missing.length > 0)
      report.say(
        `\nNot built yet:\n${missing.map(([number, title]) => `  ${number.padStart(2)}  ${title}`).join('\n')}`,
      );
  },
});

async function proveOn(report: Report, outside: Outside, where: string, env: Record<string, string>): Promise<void> {
  await using servers = await startServers({
    name: 'sdk',
    settings: { fsync: 'off' },
    env,
    roles: ['api,worker,gateway'],
  });
  // As `migrate` does. The store did not exist yet when the engines were migrated.
  await servers.ctx.blobs.prepare();
  forgetFilled();
  const fixture = await createFixture(servers.processes[0]!.url, outside);
  for (const { number, run } of ASSERTIONS) {
    const failure = await run(fixture).then(
      () => undefined,
      (error: unknown) => error,
    );
    const why = failure instanceof Error ? describeError(failure) : String(failure);
    report.check(`on ${where}`, failure === undefined, () => `${number} ${TITLES[number]}: ${why}`);
  }
}

/** `fetch` reports the reason of a failed request in `cause`. */
function describeError({ message, cause }: Error): string {
  const { code } = (cause ?? {}) as { code?: string };
  return code === undefined ? message : `${message} (${code})`;
}
