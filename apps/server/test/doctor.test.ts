/** A healthy installation, and many with one fault each: real servers, real databases, real certificates. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { ensureDurablePostgres, freePort, startNats } from '@dostar/tools/servers';
import { Client } from 'pg';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runChecks, reportHealth } from '../src/cli/doctor/run-checks.ts';
import { compareProgram } from '../src/cli/doctor/program.ts';
import { openAuthority } from './authority.ts';
import type { Authority, Certificate } from './authority.ts';
import { createDatabases, dropDatabases, nextName } from './databases.ts';
import type { DatabaseUrls } from './databases.ts';
import { makeSecretEnv } from './make-secrets.ts';
import { prepareDatabases } from './prepare-databases.ts';

const trusted = getCACertificates('default');
const stack = new AsyncDisposableStack();
const name = nextName();
let folder: string;
let authority: Authority;
let postgresUrl: string;
let urls: DatabaseUrls;
let well: Record<string, string>;
let clockAheadMs = 0;
const clock = { now: () => Date.now() + clockAheadMs };
/** What the doctor does not use of a command's context. */
const unused = { operator: 'tester', readInput: async () => '', about: async () => {} };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  authority = stack.use(await openAuthority());
  setDefaultCACertificates([...trusted, authority.root]);
  stack.defer(() => setDefaultCACertificates(trusted));
  postgresUrl = (await ensureDurablePostgres()).url('postgres');
  await prepareDatabases(postgresUrl, inject('natsUrl'));
  urls = await createDatabases(postgresUrl, name, 'template');
  stack.defer(() => dropDatabases(postgresUrl, name));

  const proxy = await startProxy(await authority.sign('localhost', 60));
  await mkdir(join(folder, 'web'));
  await mkdir(join(folder, 'blobs'));
  const page = { file: 'index.html', csp: '', etag: '', encodings: [] };
  const locale = { code: 'en', tag: 'en', prefix: '', notFound: '', fallback: page };
  const list = {
    build: 'b1',
    placeholder: '',
    google: { on: '', off: '' },
    headers: {},
    locales: [locale],
    shellPaths: [],
    pages: {},
    files: {},
  };
  await writeFile(join(folder, 'web/site.json'), JSON.stringify(list));
  well = {
    ...urls,
    ...(await keepSecrets(await makeSecretEnv(), 0o640)),
    NATS_URLS: inject('natsUrl'),
    ORIGIN: proxy,
    SMTP_URL: await startMailServer({}),
    PUSH_HOSTS: proxy,
    BLOBS_DIR: join(folder, 'blobs'),
    WEB_ROOT: join(folder, 'web'),
  };
});
afterAll(() => stack.disposeAsync());

/** A TLS proxy in front of a ready server. */
async function startProxy(certificate: Certificate): Promise<string> {
  const server = createServer(certificate, (_request, reply) => reply.end('{"ready":true}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `https://localhost:${(server.address() as AddressInfo).port}`;
}

async function startMailServer(options: SMTPServerOptions, login = ''): Promise<string> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], logger: false, ...options });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  stack.defer(() => new Promise<void>((resolve) => server.close(resolve)));
  return `smtp://${login}127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

async function keepSecrets(secrets: Record<string, string>, mode: number): Promise<Record<string, string>> {
  const files = Object.entries(secrets).map(async ([secret, value]) => {
    const path = join(await mkdtemp(join(folder, 'secret-')), secret);
    await writeFile(path, value, { mode });
    return [`${secret}_FILE`, path] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

async function query(database: string, text: string): Promise<Record<string, string>[]> {
  const url = new URL(postgresUrl);
  url.pathname = `/${name}_${database}`;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  const { rows } = await client.query<Record<string, string>>(text);
  await client.end();
  return rows;
}

/** The findings of the doctor, one line each with the part and the problem. */
async function complaints(changes: Record<string, string>): Promise<string[]> {
  const looked = await runChecks({ env: { ...well, ...changes }, clock });
  return looked.flatMap(({ part, findings = [] }) => findings.map(({ problem }) => `${part}: ${problem}`));
}

async function expectOnly(changes: Record<string, string>, fault: RegExp): Promise<void> {
  const found = await complaints(changes);
  expect(found).toEqual([expect.stringMatching(fault)]);
}

test('a healthy installation has no findings', async () => {
  expect(await complaints({})).toEqual([]);
  const { code, out } = await reportHealth({ env: well, clock, ...unused });
  expect(code).toBe(0);
  expect(out).toContain('ok       databases');
  expect(out).toContain('Nothing is wrong.');
});

test('each finding says what is wrong and what to do, and the command fails', async () => {
  const env = { ...well, WEB_ROOT: folder };
  const { code, out } = await reportHealth({ env, clock, ...unused });
  expect(code).toBe(1);
  expect(out).toMatch(/PROBLEM {2}web +there is no web application in .*\n +To do: +correct WEB_ROOT/);
  expect(out).toContain('1 problem.');
});

test('fault 1: the name of the address does not resolve', async () => {
  await expectOnly(
    { ORIGIN: 'https://chat.invalid', MAIL_FROM: 'a@example.org' },
    /^address: .*chat\.invalid does not resolve/,
  );
});

test('fault 2: nothing listens at the address', async () => {
  const port = await freePort();
  await expectOnly(
    { ORIGIN: `https://localhost:${port}` },
    /^address: nothing answers with TLS at localhost:\d+ \(ECONNREFUSED\)/,
  );
});

test('fault 3: the certificate has expired', async () => {
  const origin = await startProxy(await authority.sign('localhost', -1));
  await expectOnly({ ORIGIN: origin }, /^address: the certificate of localhost expired on \d{4}-/);
});

test('fault 4: the certificate is about to expire', async () => {
  const origin = await startProxy(await authority.sign('localhost', 5));
  await expectOnly({ ORIGIN: origin }, /^address: the certificate of localhost expires in [45] days/);
});

test('fault 5: the certificate is for another name', async () => {
  const origin = await startProxy(await authority.sign('elsewhere.example', 60));
  await expectOnly({ ORIGIN: origin }, /^address: .* is for another name \(DNS:elsewhere\.example\)/);
});

test('fault 6: the certificate is of an unknown authority', async () => {
  await using stranger = await openAuthority();
  const origin = await startProxy(await stranger.sign('localhost', 60));
  await expectOnly({ ORIGIN: origin }, /^address: browsers do not trust the issuer/);
});

test('fault 7: the mail server refuses the password', async () => {
  const refusing = { authOptional: false, allowInsecureAuth: true, onAuth: refuse } satisfies SMTPServerOptions;
  const url = await startMailServer(refusing, 'dostar:wrong@');
  await expectOnly({ SMTP_URL: url }, /^email: the mail server 127\.0\.0\.1:\d+ refuses the user and password/);
});

const refuse: NonNullable<SMTPServerOptions['onAuth']> = (_auth, _session, done) => {
  done(Object.assign(new Error('no'), { responseCode: 535 }));
};

test('fault 8: the mail server does not answer', async () => {
  await expectOnly({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }, /^email: .* does not answer/);
});

test('fault 9: a shard lacks a migration, another knows one of a newer version', async () => {
  const newest = '(select max(name) from kysely_migration)';
  const [last] = await query(
    'shard_1',
    `delete from kysely_migration where name = ${newest} returning name, timestamp`,
  );
  await query('shard_0', `insert into kysely_migration values ('9999-tomorrow.sql', now()::text)`);
  const found = await complaints({});
  expect(found).toEqual([
    expect.stringMatching(/^databases: shard 0 has the migration 9999-tomorrow\.sql/),
    expect.stringMatching(/^databases: shard 1 lacks 1 migrations, from 00\d\d-/),
  ]);
  await query('shard_0', `delete from kysely_migration where name = '9999-tomorrow.sql'`);
  await query('shard_1', `insert into kysely_migration values ('${last!['name']}', '${last!['timestamp']}')`);
  expect(await complaints({})).toEqual([]);
});

test('fault 10: a database is missing, another does not answer', async () => {
  const url = new URL(postgresUrl);
  url.pathname = `/${name}_nowhere`;
  const closed = `postgres://postgres@127.0.0.1:${await freePort()}/x`;
  const shards = urls.SHARD_URLS.split(',')[0]!;
  const found = await complaints({ DIRECTORY_URL: url.href, SHARD_URLS: `${shards},1=${closed}` });
  expect(found).toEqual([
    expect.stringMatching(/^databases: the directory does not answer \(3D000\)/),
    expect.stringMatching(/^databases: shard 1 does not answer \(ECONNREFUSED\)/),
  ]);
});

test('fault 11: the push key is invalid', async () => {
  const secret = await keepSecrets({ VAPID_KEY: '_'.repeat(43) }, 0o600);
  await expectOnly(secret, /^secrets: VAPID_KEY is not a key/);
});

test('fault 12: every user of the machine may read a secret', async () => {
  const { SECRET_KEY } = await makeSecretEnv();
  await expectOnly(
    await keepSecrets({ SECRET_KEY: SECRET_KEY! }, 0o644),
    /^secrets: every user .* may read SECRET_KEY/,
  );
});

test('fault 13: a secret is missing', async () => {
  await expectOnly({ OPAQUE_SETUP_FILE: join(folder, 'nothing') }, /^secrets: ENOENT.*nothing/);
  const { SECRET_KEY_FILE: _, ...env } = well;
  const { out } = await reportHealth({ env, clock, ...unused });
  expect(out).toMatch(/PROBLEM {2}secrets +bad secrets SECRET_KEY: missing\./);
  expect(out).toMatch(/- +email +not checked/);
});

test('fault 14: files can not be written', async () => {
  await writeFile(join(folder, 'no-folder'), '');
  await expectOnly(
    { BLOBS_DIR: join(folder, 'no-folder/blobs') },
    /^files: nothing can be stored in the folder .* \(ENOTDIR\)/,
  );
});

test('fault 15: the object store does not answer', async () => {
  const store = { S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`, S3_CREDENTIALS: 'key:secret' };
  await expectOnly(store, /^files: nothing can be stored in the object store http:\/\/127/);
});

/** Charges a new account on the shard. */
function charge(shard: number, bytes: number) {
  const values = `gen_random_uuid(), gen_random_uuid(), ${bytes}, 0`;
  return query(`shard_${shard}`, `insert into blob_held (owner, blob, charged, at) values (${values}) returning owner`);
}

test('files take more than nine tenths of the storage limit of all accounts', async () => {
  const charges = await Promise.all([charge(0, 500), charge(1, 450)]);
  expect(await complaints({ BLOB_QUOTA_TOTAL_BYTES: '1056' })).toEqual([]);
  await expectOnly({ BLOB_QUOTA_TOTAL_BYTES: '1000' }, /^storage: files take 95 percent of BLOB_QUOTA_TOTAL_BYTES/);
  for (const [shard, [row]] of charges.entries()) {
    await query(`shard_${shard}`, `delete from blob_held where owner = '${row!['owner']}'`);
  }
  expect(await complaints({ BLOB_QUOTA_TOTAL_BYTES: '1' })).toEqual([]);
});

test('fault 16: NATS has no JetStream', async () => {
  await using nats = await startNats({ dir: join(folder, 'nats'), port: await freePort(), hasNoJetStream: true });
  await expectOnly({ NATS_URLS: nats.url }, /^nats: NATS stores no jobs: JetStream is off/);
});

test('a remote address is reached without TLS', async () => {
  const found = await complaints({ OTLP_TRACES_URL: 'http://traces.example/v1/traces' });
  expect(found).toEqual([
    expect.stringMatching(/^settings: .*nor reached by TLS: OTLP_TRACES_URL \(traces\.example\)$/),
  ]);
});

test('NATS refuses the credentials', async () => {
  const credentials = 'dostar:secret';
  await using nats = await startNats({ dir: join(folder, 'nats-users'), port: await freePort(), credentials });
  expect(await complaints({ NATS_URLS: nats.url, NATS_CREDENTIALS: credentials })).toEqual([]);
  await expectOnly({ NATS_URLS: nats.url, NATS_CREDENTIALS: 'dostar:wrong' }, /^nats: NATS refuses the credentials/);
  await expectOnly({ NATS_URLS: nats.url }, /^nats: NATS refuses the credentials/);
});

test('fault 17: NATS does not answer', async () => {
  await expectOnly(
    { NATS_URLS: `nats://127.0.0.1:${await freePort()}` },
    /^nats: NATS does not answer at nats:\/\/127/,
  );
});

test('fault 18: the clock is wrong', async () => {
  clockAheadMs = 90_000;
  const found = await complaints({});
  clockAheadMs = 0;
  expect(found).toEqual([
    ...['the directory', 'shard 0', 'shard 1'].map(
      (database) =>
        expect.stringMatching(new RegExp(`^databases: .* that of ${database} differ by \\d+ seconds`)) as string,
    ),
    expect.stringMatching(/^clock: the clock of this machine is wrong by \d+ seconds/),
  ]);
});

test('fault 19: a setting is wrong', async () => {
  await expectOnly({ PORT: 'front' }, /^settings: bad configuration .*PORT/);
});

test('fault 20: browsers come without TLS, and emails have no sender', async () => {
  expect(await complaints({ ORIGIN: 'http://chat.example.org' })).toEqual([
    expect.stringMatching(/^settings: browsers reach http:\/\/chat\.example\.org without TLS/),
    expect.stringMatching(/^settings: emails would come from no-reply@localhost/),
  ]);
});

test('fault 21: no push service can be reached', async () => {
  await expectOnly({ PUSH_HOSTS: `https://localhost:${await freePort()}` }, /^push: no push service can be reached/);
});

test('a push service that can not be reached is found, though another can be', async () => {
  const closed = `https://localhost:${await freePort()}`;
  await expectOnly(
    { PUSH_HOSTS: `${well['PUSH_HOSTS']},${closed}` },
    /^push: a push service can not be reached: .*ECONN/,
  );
});

test('without a key the doctor says that push is off, and finds nothing wrong', async () => {
  const { VAPID_KEY_FILE: _, ...env } = well;
  const { code, out } = await reportHealth({ env, clock, ...unused });
  expect(out).toMatch(/^- +push +push is off: neither VAPID_KEY nor FCM_CREDENTIALS is set$/m);
  expect(code).toBe(0);
});

test('a changed program is found by the bundle’s list of hashes', async () => {
  const root = await mkdtemp(join(folder, 'program-'));
  await mkdir(join(root, 'apps'));
  await writeFile(join(root, 'apps/one.ts'), 'one');
  await writeFile(join(root, 'two.ts'), 'two');
  await symlink('apps/one.ts', join(root, 'link'));
  await expectFindings(root, []);
  const { stdout } = await promisify(execFile)('sha256sum', ['apps/one.ts', 'two.ts'], { cwd: root });
  await writeFile(join(root, 'files.sha256'), stdout);
  await expectFindings(root, []);
  await writeFile(join(root, 'two.ts'), 'twO');
  await expectFindings(root, [/not as in the bundle: two\.ts$/]);
  await writeFile(join(root, 'apps/new.ts'), 'new');
  await expectFindings(root, [/not as in the bundle: apps\/new\.ts, two\.ts$/]);
  await rm(join(root, 'apps/one.ts'));
  await expectFindings(root, [/: apps\/new\.ts, link, two\.ts$/, /missing: apps\/one\.ts$/]);
});

test('a link of the program that leads out of it is found', async () => {
  const root = await mkdtemp(join(folder, 'program-'));
  await writeFile(join(root, 'files.sha256'), '');
  await symlink(folder, join(root, 'out'));
  await expectFindings(root, [/: out$/]);
});

async function expectFindings(root: string, faults: RegExp[]): Promise<void> {
  const found = (await compareProgram(root)).map(({ problem }) => problem);
  expect(found).toEqual(faults.map((fault) => expect.stringMatching(fault) as string));
}

test('an assistant that is unreachable or not ready is reported', async () => {
  await expectOnly(
    { AMADEUS_URL: `http://127.0.0.1:${await freePort()}` },
    /^amadeus: .* does not answer .*ECONNREFUSED/,
  );
  let isReady = false;
  const server = createPlainServer((_request, reply) => reply.writeHead(isReady ? 200 : 503).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await expectOnly({ AMADEUS_URL: url }, /^amadeus: .* has not read its mailbox/);
  isReady = true;
  expect(await complaints({ AMADEUS_URL: url })).toEqual([]);
});
