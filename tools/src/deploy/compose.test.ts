import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repoRoot } from '../servers/folders.ts';
import { readCompose } from './compose.ts';
import type { ComposeFile } from './compose.ts';

const execute = promisify(execFile);
const ANSWERS = {
  DOMAIN: 'chat.example.org',
  MAIL_FROM: 'Dostar <no-reply@example.org>',
  SMTP_URL: 'smtps://user:secret@mail.example.org',
  TLS: 'automatic',
  AMADEUS_EMAIL: 'amadeus@example.org',
};

/** UIDs of the users that read secrets other than the program's. */
const SECRET_OWNER_UIDS: Record<string, number> = { 'nats-config': 10_002, 'role-passwords': 999 };

let workDir: string;
/** A bundle as `init` expects it: copies of the files that it reads, links for the rest. */
let bundle: string;
let home: string;
let compose: ComposeFile;

async function init(folder: string, answers: Record<string, string> = {}): Promise<string> {
  const file = join(workDir, 'answers');
  await writeFile(
    file,
    Object.entries({ ...ANSWERS, ...answers })
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  const { stdout } = await execute(join(bundle, 'deploy/compose/init'), ['--answers', file, folder]);
  return stdout;
}

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'dostar-compose-'));
  bundle = join(workDir, 'bundle');
  await mkdir(join(bundle, 'node/bin'), { recursive: true });
  await cp(join(repoRoot, 'deploy'), join(bundle, 'deploy'), { recursive: true });
  await symlink(process.execPath, join(bundle, 'node/bin/node'));
  await symlink(join(repoRoot, 'apps'), join(bundle, 'apps'));
  await writeFile(join(bundle, 'bundle.json'), JSON.stringify({ name: 'dostar', build: 'abc1234' }, null, 2));
  home = join(workDir, 'home');
  await init(home);
  compose = await readCompose(home);
});
afterAll(() => rm(workDir, { recursive: true }));

function settingsOf(service: string): Record<string, string | null> {
  return compose.services[service]?.environment ?? {};
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .toSorted();
}

function describeAll(folder: string): string[] {
  return listFiles(folder).map((path) => {
    const { mode, uid, mtimeMs } = statSync(path);
    return [path, mode, uid, mtimeMs, readFileSync(path, 'base64')].join(' ');
  });
}

describe('init', () => {
  test('run twice changes nothing', async () => {
    const before = describeAll(home);
    expect(await init(home)).toMatch(/^0 changes\./);
    expect(describeAll(home)).toEqual(before);
  });

  test('lets only the program read secrets', () => {
    const isRoot = process.getuid?.() === 0;
    expect(statSync(join(home, 'secrets')).mode & 0o777).toBe(0o700);
    for (const path of listFiles(join(home, 'secrets'))) {
      expect(statSync(path).mode & 0o777, path).toBe(isRoot ? 0o400 : 0o444);
      if (isRoot) expect(statSync(path).uid, path).toBe(SECRET_OWNER_UIDS[basename(path)] ?? 10_001);
    }
    for (const name of ['.env', 'answers']) expect(statSync(join(home, name)).mode & 0o777, name).toBe(0o600);
  });

  test('a changed answer or a newer bundle updates the settings and no secret', async () => {
    const other = join(workDir, 'other');
    await cp(home, other, { recursive: true });
    const secrets = listFiles(join(other, 'secrets')).map((path) => readFileSync(path, 'utf8'));
    await writeFile(join(bundle, 'bundle.json'), JSON.stringify({ name: 'dostar', build: 'def5678' }, null, 2));
    try {
      await init(other, { DOMAIN: 'other.example.org', TLS: 'internal' });
    } finally {
      await writeFile(join(bundle, 'bundle.json'), JSON.stringify({ name: 'dostar', build: 'abc1234' }, null, 2));
    }
    expect(listFiles(join(other, 'secrets')).map((path) => readFileSync(path, 'utf8'))).toEqual(secrets);
    const read = await readCompose(other);
    expect(read.services['server']?.image).toBe('dostar:def5678');
    expect(read.services['server']?.environment).toMatchObject({ ORIGIN: 'https://other.example.org' });
    expect(read.services['caddy']?.environment).toMatchObject({
      DOMAIN: 'other.example.org',
      CADDY_OPTION: 'local_certs',
    });
    expect(settingsOf('caddy')).toMatchObject({ DOMAIN: 'chat.example.org', CADDY_OPTION: '' });
  });

  test.each([
    ['DOMAIN', 'https://chat.example.org'],
    ['DOMAIN', "x'y"],
    ['SMTP_URL', 'mail.example.org'],
    ['MAIL_FROM', 'nobody'],
    ['TLS', 'none'],
    ['SIGN_UPS', 'some'],
    ['AMADEUS_EMAIL', 'nobody'],
    ['POSTGRES', 'x'],
  ])('refuses %s=%s and leaves nothing', async (key, value) => {
    await expect(init(join(workDir, 'refused'), { [key]: value })).rejects.toThrow(key);
    expect(existsSync(join(workDir, 'refused'))).toBe(false);
  });

  test('the first run says how to make the first account, unless everyone may sign up', async () => {
    const folder = join(workDir, 'closed');
    expect(await init(folder, { SIGN_UPS: 'closed' })).toContain('admin.ts invite\n');
    expect(await init(folder, { SIGN_UPS: 'closed' })).not.toContain('invite');
    expect((await readCompose(folder)).services['server']?.environment).toMatchObject({ SIGN_UPS: 'closed' });
    expect(await init(join(workDir, 'open'))).not.toContain('invite');
  });

  test('sets every variable that the file uses', () => {
    const text = readFileSync(join(repoRoot, 'deploy/compose/compose.yaml'), 'utf8');
    const asked = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!));
    const made = new Set([...readFileSync(join(home, '.env'), 'utf8').matchAll(/^(\w+)=/gm)].map(([, name]) => name!));
    expect([...asked].toSorted()).toEqual([...made].toSorted());
    // Compose would expand any other dollar sign.
    expect(text.replaceAll(/\$\{\w+/g, '')).not.toContain('$');
  });
});

describe('the installation by Compose', () => {
  test('is what Compose itself understands, with a secret for every name', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual([
      'amadeus',
      'assistant-account',
      'caddy',
      'migrate',
      'nats',
      'postgres',
      'roles',
      'server',
    ]);
    for (const { file } of Object.values(compose.secrets)) expect(statSync(file).size, file).toBeGreaterThan(0);
    const used = Object.values(compose.services).flatMap(({ secrets = [] }) => secrets.map(({ source }) => source));
    expect(new Set(used)).toEqual(new Set(Object.keys(compose.secrets)));
  });

  test('leaves ports 80 and 443 to a proxy of the machine, with the file for that', async () => {
    const behind = join(workDir, 'behind');
    await cp(home, behind, { recursive: true });
    await cp(join(repoRoot, 'deploy/proxy/compose.override.yaml'), join(behind, 'compose.override.yaml'));
    const { services } = await readCompose(behind);
    expect(services['caddy']?.profiles).toEqual(['never']);
    const published = Object.entries(services).flatMap(([name, { ports = [] }]) =>
      name === 'caddy' ? [] : ports.map((port) => [name, port.host_ip, port.published, port.target]),
    );
    expect(new Set(published)).toEqual(
      new Set([
        ['server', '127.0.0.1', '3000', 3000],
        ['server', '127.0.0.1', '3400', 3400],
      ]),
    );
    // Docker forwards a connection of this machine from an address of its own networks.
    expect(services['server']?.environment).toMatchObject({ TRUSTED_PROXIES: 'private' });
  });

  test('needs no newer engine than the documents say', () => {
    const text = readFileSync(join(repoRoot, 'deploy/compose/compose.yaml'), 'utf8');
    // An inline config can't be mounted into a read-only container, and this option needs Engine 25.
    expect(text).not.toContain('start_interval');
    for (const [name, { file }] of Object.entries(compose.configs)) expect(existsSync(file), name).toBe(true);
  });

  test('pins every image to one release', () => {
    for (const [name, { image, build }] of Object.entries(compose.services)) {
      if (build === undefined) expect(image, name).toMatch(/^\w+:\d+\.\d+(?:\.\d+)?(?:-alpine)?$/);
      else expect([image, build.context], name).toEqual(['dostar:abc1234', bundle]);
    }
  });

  test('starts what the bundle holds', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      if (service.build === undefined) continue;
      expect(existsSync(join(bundle, service.build.dockerfile)), name).toBe(true);
      const words = [...(service.entrypoint ?? []), ...(service.command ?? [])];
      const program = words.find((word) => word.includes('/'));
      expect(program && existsSync(join(bundle, program)), `${name}: ${words.join(' ')}`).toBe(true);
    }
  });

  test('gives no service rights that it does not need', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      expect(service.user, name).toMatch(/^[1-9]\d*:[1-9]\d*$/);
      expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
      expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
    }
  });

  test('opens two ports to the network, and one for the console to the machine itself', () => {
    const ports = Object.entries(compose.services).flatMap(([name, { ports: each = [] }]) =>
      each.map(({ host_ip: address = '*', published, target }) => `${name} ${address}:${published} ${target}`),
    );
    expect(new Set(ports)).toEqual(new Set(['caddy *:80 80', 'caddy *:443 443', 'server 127.0.0.1:3400 3400']));
    expect(compose.networks['inside']?.internal).toBe(true);
    for (const name of ['postgres', 'roles', 'migrate'])
      expect(compose.services[name]?.network_mode, name).toBe('none');
    expect(Object.keys(compose.services['nats']?.networks ?? {})).toEqual(['inside']);
  });

  test('redirects pages to https, refuses calls without it, and protects its own errors', () => {
    const content = readFileSync(compose.configs['web']!.file, 'utf8');
    const plain = content.slice(content.indexOf('http://{$DOMAIN}'));
    expect(plain).toContain('@program path /api /api/* /v1 /v1/* /realtime');
    expect(plain.indexOf('respond 403')).toBeLessThan(plain.indexOf('redir https://{host}{uri} 308'));
    const errors = content.slice(content.indexOf('handle_errors'), content.indexOf('http://{$DOMAIN}'));
    for (const header of ['Strict-Transport-Security', 'X-Content-Type-Options', "frame-ancestors 'none'"])
      expect(errors).toContain(header);
  });

  test('ends every log at 100 MB', () => {
    for (const [name, { logging }] of Object.entries(compose.services))
      expect(logging, name).toEqual({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } });
  });

  test('keeps the values of rows out of the log of PostgreSQL', () => {
    expect(compose.services['postgres']?.command).toContain('--log_error_verbosity=terse');
  });

  test('has a health check for every long-running service', () => {
    for (const [name, { healthcheck }] of Object.entries(compose.services)) {
      if (['migrate', 'roles', 'assistant-account'].includes(name)) expect(healthcheck?.disable, name).toBe(true);
      else expect(healthcheck?.test?.[0], name).toBe('CMD');
    }
    const waitsFor = Object.fromEntries(
      Object.entries(compose.services).map(([name, { depends_on: needs = {} }]) => [
        name,
        Object.entries(needs).map(([other, { condition }]) => `${other} ${condition}`),
      ]),
    );
    expect(waitsFor).toMatchObject({
      caddy: ['server service_healthy'],
      server: ['migrate service_completed_successfully', 'nats service_healthy'],
      migrate: ['roles service_completed_successfully'],
      amadeus: ['assistant-account service_completed_successfully'],
      'assistant-account': ['server service_healthy'],
    });
  });

  test('gives the program only settings that it reads', () => {
    const known = ['config.ts', 'secrets.ts'].map((name) =>
      readFileSync(join(repoRoot, 'apps/server/src', name), 'utf8'),
    );
    const accountScript = readFileSync(join(repoRoot, 'deploy/compose/assistant-account'), 'utf8');
    for (const name of ['server', 'migrate', 'assistant-account']) {
      for (const key of Object.keys(compose.services[name]?.environment ?? {})) {
        const plain = key.replace(/_FILE$/, '');
        expect(
          [...known, accountScript].some((text) => text.includes(plain)),
          key,
        ).toBe(true);
      }
    }
    const amadeus = readFileSync(join(repoRoot, 'apps/amadeus/src/settings.ts'), 'utf8');
    for (const key of Object.keys(compose.services['amadeus']?.environment ?? {}))
      expect(amadeus).toContain(key.replace(/_FILE$/, ''));
  });

  test('lets no one into NATS without the password', () => {
    const [user, password] = readFileSync(join(home, 'secrets/nats-credentials'), 'utf8').trim().split(':');
    expect(user).toBe('dostar');
    expect(password).toMatch(/^[\w-]{43}$/);
    const config = readFileSync(join(home, 'secrets/nats-config'), 'utf8');
    expect(config).toContain(`password: "${password}"`);
    expect(compose.services['nats']?.command).toEqual(['--config', '/run/secrets/nats-config']);
    expect(compose.services['nats']?.secrets?.map(({ source }) => source)).toEqual(['nats-config']);
    expect(compose.services['server']?.environment).toMatchObject({
      NATS_CREDENTIALS_FILE: '/run/secrets/nats-credentials',
    });
  });

  test('lets no one into PostgreSQL without the password of a role', () => {
    const { command, volumes = [] } = compose.services['postgres']!;
    expect(command).toContain('--hba_file=/etc/dostar/pg_hba.conf');
    expect(volumes.map(({ target }) => target)).not.toContain('/etc/dostar/pg_hba.conf');
    const rules = readFileSync(compose.configs['hba']!.file, 'utf8')
      .split('\n')
      .filter((line) => /^[^#]/.test(line));
    expect(rules).toEqual(['local all dostar peer map=superuser', 'local all all scram-sha-256']);
    const [server, owner] = ['database-password', 'database-owner-password'].map((name) =>
      readFileSync(join(home, 'secrets', name), 'utf8'),
    );
    expect(server).not.toBe(owner);
    const passwords = readFileSync(join(home, 'secrets/role-passwords'), 'utf8');
    expect(passwords).toBe(`\\set server_password '${server}'\n\\set owner_password '${owner}'\n`);
  });

  test('runs the server as a role that changes no schema, and only migrate as the owner', () => {
    for (const name of ['server', 'migrate', 'assistant-account'])
      expect(settingsOf(name), name).toMatchObject({
        DIRECTORY_URL: expect.stringMatching(/^postgres:\/\/dostar_server@/),
      });
    expect(Object.keys(settingsOf('migrate')).toSorted()).toEqual([
      'DATABASE_OWNER',
      'DATABASE_OWNER_PASSWORD_FILE',
      'DIRECTORY_URL',
      'SHARD_URLS',
    ]);
    for (const name of ['server', 'assistant-account'])
      expect(settingsOf(name), name).not.toHaveProperty('DATABASE_OWNER_PASSWORD_FILE');
  });

  test('gives each service the secrets that it needs', () => {
    const given = Object.entries(compose.services).map(([name, { secrets = [] }]) => [
      name,
      secrets.map(({ source }) => source).toSorted(),
    ]);
    expect(Object.fromEntries(given)).toEqual({
      server: ['database-password', 'nats-credentials', 'opaque-setup', 'secret-key', 'smtp-url', 'vapid-key'],
      migrate: ['database-owner-password'],
      roles: ['role-passwords'],
      'assistant-account': ['database-password', 'nats-credentials', 'secret-key'],
      nats: ['nats-config'],
      amadeus: ['amadeus-password'],
      postgres: [],
      caddy: [],
    });
  });

  test('puts no secret into an image', () => {
    for (const { build } of Object.values(compose.services)) expect(home.startsWith(build?.context ?? '-')).toBe(false);
    expect(listFiles(join(bundle, 'deploy')).filter((path) => /secrets|\.env$|answers$/.test(path))).toEqual([]);
  });
});
