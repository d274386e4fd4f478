/** @module-tag nightly: It starts and kills engines of its own; all other tests use the same engines. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { startMailCatcher } from './mail-catcher.ts';
import { startNats } from './nats.ts';
import { canConnect, freePort, isPortFree } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { findProcess, isRunning, signalTree, stopProcess } from './processes.ts';
import { ensureTestEngines } from './test-engines.ts';

const folder = mkdtempSync('/var/tmp/dostar-servers-');
// PostgreSQL runs as its own user and has to reach its data.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('PostgreSQL', () => {
  test('a second start in the same folder adopts the running cluster', async () => {
    const options = { dir: join(folder, 'adopted'), port: await freePort() };
    await using first = await startPostgres(options);
    const second = await startPostgres(options);
    expect(second.pid).toBe(first.pid);
    await expect(startPostgres({ ...options, port: await freePort() })).rejects.toThrow('already runs');
  });

  test('SIGSTOP freezes every backend until SIGCONT', async () => {
    await using postgres = await startPostgres({ dir: join(folder, 'frozen'), port: await freePort() });
    const query = postgres.sql('postgres', 'select pg_sleep(1), 7');
    const running = "select count(*) from pg_stat_activity where query = 'select pg_sleep(1), 7' and state = 'active'";
    while ((await postgres.sql('postgres', running)) !== '1') await sleep(10);
    postgres.signal('SIGSTOP');
    const late = postgres.sql('postgres', 'select 8');
    expect(await Promise.race([query, late, sleep(1_500, 'frozen')])).toBe('frozen');
    postgres.signal('SIGCONT');
    expect(await query).toBe('|7');
    expect(await late).toBe('8');
  });

  test('committed rows survive kill -9 and a restart, and stopping works on a stopped cluster', async () => {
    await using postgres = await startPostgres({ dir: join(folder, 'killed'), port: await freePort() });
    await postgres.sql('postgres', 'create table kept (id int); insert into kept values (1)');
    postgres.signal('SIGKILL');
    await postgres.restart();
    expect(await postgres.sql('postgres', 'select id from kept')).toBe('1');
    postgres.signal('SIGSTOP');
    await postgres.stop();
    expect(await isPortFree(postgres.port)).toBe(true);
  });

  test('its log does not quote the rows that an error is about', async () => {
    const dir = join(folder, 'terse');
    await using postgres = await startPostgres({ dir, port: await freePort() });
    await postgres.sql('postgres', "create table person (email text primary key); insert into person values ('a@b.c')");
    await expect(postgres.sql('postgres', "insert into person select 'a@' || 'b.c'")).rejects.toThrow('person_pkey');
    const log = readFileSync(join(dir, 'postgres.log'), 'utf8');
    expect(log).toContain('person_pkey');
    expect(log).not.toMatch(/DETAIL|a@b\.c/);
  });

  test('stopping one cluster leaves its neighbour running', async () => {
    await using left = await startPostgres({ dir: join(folder, 'left'), port: await freePort() });
    await using right = await startPostgres({ dir: join(folder, 'right'), port: await freePort() });
    await left.stop();
    expect(await right.sql('postgres', 'select 1')).toBe('1');
  });
});

describe('processes', () => {
  test('a recycled pid is neither signalled nor stopped', async () => {
    const stranger = spawn('sleep', ['60']);
    await once(stranger, 'spawn');
    const now = findProcess(stranger.pid!)!;
    const recycled = { pid: now.pid, identity: 'an-earlier-boot:1' };
    expect(isRunning(recycled)).toBe(false);
    signalTree(recycled, 'SIGKILL');
    await stopProcess(recycled, { signal: 'SIGKILL' });
    expect(isRunning(now)).toBe(true);
    stranger.kill();
  });

  test('a process that ignores the request is ended together with its children', async () => {
    const stubborn = spawn('sh', ['-c', 'trap "" TERM; sleep 60 & sleep 60']);
    await once(stubborn, 'spawn');
    const ref = findProcess(stubborn.pid!)!;
    await stopProcess(ref, { signal: 'SIGTERM', gracePeriodMs: 200 });
    expect(isRunning(ref)).toBe(false);
  });

  test('an engine ends with the process that started it, even by kill -9', async () => {
    const port = await freePort();
    const program = `
      const { startNats } = await import(${JSON.stringify(join(import.meta.dirname, 'nats.ts'))});
      const nats = await startNats({ dir: ${JSON.stringify(join(folder, 'orphan'))}, port: ${port} });
      console.log(nats.pid);
      setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program]);
    const [line] = await once(owner.stdout, 'data');
    const engine = findProcess(Number(String(line)))!;
    owner.kill('SIGKILL');
    await expect.poll(() => isRunning(engine), { timeout: 60_000 }).toBe(false);
  });
});

describe('the others', () => {
  test('NATS is back on its port after kill -9 and a restart', async () => {
    await using nats = await startNats({ dir: join(folder, 'nats'), port: await freePort() });
    const before = nats.pid;
    nats.signal('SIGKILL');
    await nats.restart();
    expect(nats.pid).not.toBe(before);
    expect(await canConnect(nats.port)).toBe(true);
  });

  test('NATS starts in a folder that is named from here', async () => {
    const dir = relative(process.cwd(), join(folder, 'nats-from-here'));
    await using nats = await startNats({ dir, port: await freePort() });
    expect(await canConnect(nats.port)).toBe(true);
  });

  test('the mail catcher shows what it is sent', async () => {
    const [smtpPort, webPort] = [await freePort(), await freePort()];
    await using mail = await startMailCatcher({ dir: join(folder, 'mail'), smtpPort, webPort });
    await sendMail(smtpPort);
    const read = async (): Promise<unknown> => (await fetch(`${mail.webUrl}/api/email`)).json();
    await expect.poll(read, { timeout: 60_000 }).toMatchObject([{ subject: 'Hello' }]);
  });

  test('two processes asking for the test engines at once get the same ones', async () => {
    const [left, right] = await Promise.all([ensureTestEngines(), ensureTestEngines()]);
    expect(right.postgres.pid).toBe(left.postgres.pid);
    expect(right.nats.url).toBe(left.nats.url);
  });
});

async function sendMail(port: number): Promise<void> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  const lines = ['HELO here', 'MAIL FROM:<a@example.org>', 'RCPT TO:<b@example.org>', 'DATA'];
  for (const line of [...lines, 'Subject: Hello\r\n\r\nHi\r\n.', 'QUIT']) {
    await once(socket, 'data');
    socket.write(`${line}\r\n`);
  }
  socket.destroy();
}
