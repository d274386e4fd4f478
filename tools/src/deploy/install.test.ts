/** Runs functions of the Debian installer one by one in a shell. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';
import { freePort } from '../servers/ports.ts';
import { startPostgres } from '../servers/postgres.ts';

const execute = promisify(execFile);
const SCRIPT = join(repoRoot, 'deploy/debian/install.sh');

let workDir: string;
beforeEach(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'dostar-install-'));
});
afterEach(() => rm(workDir, { recursive: true }));

/** Runs the given lines after the script's functions, without its last lines, which check the user and start. */
async function runInstallFunction(lines: string): Promise<string> {
  const text = await readFile(SCRIPT, 'utf8');
  const functions = text.slice(0, text.indexOf('[ "$(id -u)" -eq 0 ]')).replaceAll('${BASH_SOURCE[0]}', SCRIPT);
  const { stdout } = await execute('bash', ['-c', `${functions}\n${lines}`]);
  return stdout;
}

/** Replaces the download: it copies the file `newest`, and fails without one. */
async function offerNatsVersion(version: string): Promise<void> {
  await mkdir(join(workDir, 'tools'), { recursive: true });
  const fetch = `set -e; mkdir -p "$1/usr/sbin"; cp ${workDir}/newest "$1/$4"; chmod 755 "$1/$4"`;
  await writeFile(join(workDir, 'tools/debian-get.sh'), fetch);
  await writeFile(join(workDir, 'newest'), version);
}
const installNats = () =>
  runInstallFunction(`bundle=${workDir} program=${workDir}/program; mkdir -p $program; install_nats; echo $changes`);
const readInstalled = () => readFile(join(workDir, 'program/nats/usr/sbin/nats-server'), 'utf8');

/** Writes the settings of the script into `workDir`. */
async function writeSettings(): Promise<void> {
  await mkdir(join(workDir, 'secrets'), { recursive: true });
  const answers = 'answers[DOMAIN]=chat.example.org answers[MAIL_FROM]=a@b answers[SMTP_URL]=smtps://mail.example.org';
  const put = 'put() { printf "%s %s\\n" "$2" "$3" >"$1.rights"; cat >"$1"; }';
  await runInstallFunction(
    `${answers}; ${put}; settings=${workDir} secrets=${workDir}/secrets postgres_port=5432; write_settings`,
  );
}

describe('NATS', () => {
  test('is updated by every run, and not touched where it is the newest', async () => {
    await offerNatsVersion('2.15.1');
    expect(await installNats()).toContain('installed NATS\n1');
    expect(await installNats()).toBe('0\n');
    await offerNatsVersion('2.15.2');
    expect(await installNats()).toContain('installed NATS\n1');
    expect(await readInstalled()).toBe('2.15.2');
  });

  test('gets the password of the server alone, which no other file repeats', async () => {
    await mkdir(join(workDir, 'secrets'));
    await writeFile(join(workDir, 'secrets/nats-credentials'), 'dostar:the-password\n');
    await writeSettings();
    expect(await readFile(join(workDir, 'nats.conf'), 'utf8')).toMatch(/user: "dostar"\s+password: "the-password"/);
    expect(await readFile(join(workDir, 'nats.conf.rights'), 'utf8')).toBe('640 root:dostar-nats\n');
    const settings = await readFile(join(workDir, 'dostar.env'), 'utf8');
    expect(settings).toContain(`NATS_CREDENTIALS_FILE="${workDir}/secrets/nats-credentials"`);
    expect(settings).not.toContain('the-password');
  });

  test('stays where no newer one can be fetched, and is required the first time', async () => {
    await offerNatsVersion('2.15.1');
    await rm(join(workDir, 'newest'));
    await expect(installNats()).rejects.toThrow('NATS could not be fetched.');
    await offerNatsVersion('2.15.1');
    await installNats();
    await rm(join(workDir, 'newest'));
    expect(await installNats()).toMatch(/the installed one stays\n0/);
    expect(await readInstalled()).toBe('2.15.1');
  });
});

/** With a Caddyfile in `workDir`. */
function runWithoutTls(lines: string): Promise<string> {
  const answers = 'answers[TLS]=none answers[DOMAIN]=chat.example.org';
  return runInstallFunction(`${answers} caddyfile=${workDir}/Caddyfile; has_systemd() { false; }; ${lines}`);
}

function listStarted(tls: string): Promise<string> {
  return runInstallFunction(`answers[TLS]=${tls}; has_systemd() { :; }; systemctl() { echo "$@"; }; start_all`);
}

describe('TLS=none, for a machine with a proxy of its own', () => {
  test('leaves the settings of Caddy that it did not write', async () => {
    await writeFile(join(workDir, 'Caddyfile'), 'www.example.org {\n}\n');
    expect(await runWithoutTls('write_caddyfile; echo $changes')).toBe('0\n');
    expect(await readFile(join(workDir, 'Caddyfile'), 'utf8')).toContain('www.example.org');
  });

  test('removes those that it wrote before, and says what the proxy has to do', async () => {
    await writeFile(join(workDir, 'Caddyfile'), '# Dostar\n{\n}\n');
    expect(await runWithoutTls('write_caddyfile; echo $changes')).toMatch(/removed .*Caddyfile\n1\n/);
    await expect(readFile(join(workDir, 'Caddyfile'))).rejects.toThrow('ENOENT');
    expect(await runWithoutTls('describe_proxy')).toContain('https://chat.example.org to http://127.0.0.1:3000.');
    expect(await runInstallFunction('describe_proxy')).toBe('');
  });

  test('installs and starts no Caddy', async () => {
    const listed = 'dpkg-query() { false; }; newest_postgres() { echo 15; }; put() { cat >/dev/null; }; mkdir() { :; }';
    const installed = (tls: string) =>
      runInstallFunction(`answers[TLS]=${tls}; ${listed}; apt-get() { :; }; install_packages`);
    expect(await installed('none')).not.toContain('caddy');
    expect(await installed('automatic')).toContain('caddy');
    expect(await listStarted('none')).not.toContain('caddy');
    expect(await listStarted('automatic')).toContain('dostar caddy');
  });
});

test('a first run ends with a link for the first account, unless everyone may sign up', async () => {
  const admin = `function /usr/local/bin/dostar { echo "https://chat.example.org/invite#$1-$2"; }`;
  const finish = (mode: string, systemd: boolean) =>
    runInstallFunction(`answers[SIGN_UPS]=${mode}; has_systemd() { ${systemd}; }; ${admin}; invite_first_user`);
  expect(await finish('closed', true)).toContain(
    'link. It works once, within 7 days: https://chat.example.org/invite#admin-invite\n',
  );
  expect(await finish('invite', false)).toContain('"dostar admin invite" prints');
  expect(await finish('open', true)).toBe('');
  await writeSettings();
  expect(await readFile(join(workDir, 'dostar.env'), 'utf8')).toContain('SIGN_UPS="open"\n');
});

test('a database that an earlier installer left to the server goes to the owner; a second run changes nothing', async () => {
  await using postgres = await startPostgres({ dir: join(workDir, 'postgres'), port: await freePort() });
  await postgres.sql('postgres', 'create role dostar login');
  await postgres.sql('postgres', 'create database dostar_directory owner dostar');
  await postgres.sql('dostar_directory', 'create table kept (a int); insert into kept values (1)');
  await postgres.sql('dostar_directory', 'alter table kept owner to dostar');
  const makeDatabases = () =>
    runInstallFunction(
      `export PGHOST=127.0.0.1 PGUSER=postgres; as_postgres() { "$@"; }; postgres_port=${postgres.port}; make_databases; echo $changes`,
    );
  const first = await makeDatabases();
  expect(first).toContain('gave the database dostar_directory to dostar-owner');
  expect(first).toContain('made the database dostar_shard_0');
  expect(await makeDatabases()).toBe('0\n');
  const asServer = (text: string) => postgres.sql('dostar_directory', `set role dostar; ${text}`);
  expect(await asServer('update kept set a = 2; select a from kept')).toBe('2');
  await expect(asServer('create table x (a int)')).rejects.toThrow('permission denied for schema public');
  await expect(asServer('alter table kept add b int')).rejects.toThrow('must be owner of table kept');
});

describe('the machine', () => {
  const BUNDLE = { name: 'dostar', build: 'abc1234', architecture: 'x64' };

  async function checkHost({ id = 'debian', version = '12', machine = 'x86_64', bundle = BUNDLE }): Promise<string> {
    await writeFile(join(workDir, 'os-release'), `ID=${id}\nVERSION_ID="${version}"\n`);
    await writeFile(join(workDir, 'bundle.json'), JSON.stringify(bundle, null, 2));
    return runInstallFunction(
      `uname() { echo ${machine}; }; bundle=${workDir} os_release=${workDir}/os-release; check_host; echo accepted`,
    );
  }

  test.each([
    ['debian', '12'],
    ['debian', '13'],
    ['ubuntu', '24.04'],
  ])('is accepted with %s %s', async (id, version) => {
    expect(await checkHost({ id, version })).toBe('accepted\n');
  });

  test.each([
    ['debian', '11'],
    ['ubuntu', '22.04'],
    ['fedora', '43'],
  ])('is refused with %s %s, and the answer says what to do instead', async (id, version) => {
    const refusal = checkHost({ id, version });
    await expect(refusal).rejects.toThrow(`This system is ${id} ${version}.`);
    await expect(refusal).rejects.toThrow('use Docker Compose');
  });

  test('needs the bundle for its processor', async () => {
    const arm = { ...BUNDLE, architecture: 'arm64' };
    expect(await checkHost({ machine: 'aarch64', bundle: arm })).toBe('accepted\n');
    await expect(checkHost({ bundle: arm })).rejects.toThrow('take the bundle for x64');
    await expect(checkHost({ machine: 'armv7l' })).rejects.toThrow('This machine is armv7l.');
  });

  test('is refused before the script asks or changes anything', async () => {
    await writeFile(join(workDir, 'os-release'), 'ID=fedora\nVERSION_ID=43\n');
    const folders = `settings=${workDir}/settings program=${workDir}/program os_release=${workDir}/os-release`;
    await expect(runInstallFunction(`${folders}; install_all`)).rejects.toThrow('This system is fedora 43.');
    expect(await readdir(workDir)).toEqual(['os-release']);
  });
});

describe('the PostgreSQL cluster', () => {
  const CLUSTERS = ['13 main 5432 online', '15 main 5433 online', '17 main 5434 online'];

  function chooseCluster(before = '', clusters = CLUSTERS): Promise<string> {
    const list = clusters.map((line) => `echo ${line} postgres /var/lib /var/log`).join('; ');
    return runInstallFunction(
      `settings=${workDir}; pg_lsclusters() { ${list || ':'}; }; has_systemd() { return 1; }; ${before}
      start_postgres; echo "\${answers[POSTGRES]} $postgres_port"`,
    );
  }

  test('is the newest one', async () => {
    expect(await chooseCluster()).toBe('17/main 5434\n');
  });

  test('stays the one with the databases when the machine gets a newer PostgreSQL', async () => {
    expect(await chooseCluster('answers[POSTGRES]=15/main')).toBe('15/main 5433\n');
    // An installer before this answer existed wrote only the port.
    const address = 'postgres://dostar@%2Fvar%2Frun%2Fpostgresql:5433/dostar_directory';
    await writeFile(join(workDir, 'dostar.env'), `DIRECTORY_URL="${address}"\n`);
    expect(await chooseCluster()).toBe('15/main 5433\n');
  });

  test('is never replaced by another one when it is gone', async () => {
    await expect(chooseCluster('answers[POSTGRES]=16/main')).rejects.toThrow('There is no PostgreSQL cluster 16/main.');
  });
});
