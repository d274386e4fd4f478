/** What Caddy logs about a failed request under the settings of both installations. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { freePort, isPortFree } from '../servers/ports.ts';
import { repoRoot } from '../servers/folders.ts';
import { runEngine } from '../servers/engine.ts';
import { launch } from '../servers/launch.ts';
import { unpackDebian } from '../servers/unpack-debian.ts';
import { waitFor } from '../servers/wait-for.ts';

const execute = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'dostar-caddy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the global options of a Caddyfile, or of the one inside a script. */
function readOptions(path: string): string {
  const text = readFileSync(join(repoRoot, path), 'utf8');
  const [, options = ''] = /^\{\n(\s+admin off[^]*?)^\}$/m.exec(text) ?? [];
  expect([path, options]).not.toEqual([path, '']);
  // Removes what the script inserts, which has nothing to do with the log.
  return `{\n${options.replaceAll('$options', '')}}\n`;
}

test.each([['deploy/debian/install.sh'], ['deploy/compose/Caddyfile']])(
  'with the settings of %s a failed request is logged without its address and URL',
  async (path) => {
    const caddy = await unpackDebian({ name: 'caddy', suite: 'bookworm', package: 'caddy', file: 'usr/bin/caddy' });
    const [port, closed] = [await freePort(), await freePort()];
    const file = join(folder, `${port}.Caddyfile`);
    writeFileSync(file, `${readOptions(path)}http://127.0.0.1:${port} {\n\treverse_proxy 127.0.0.1:${closed}\n}\n`);
    const log = join(folder, `${port}.log`);
    const env = { PATH: process.env['PATH'], HOME: folder };
    await execute(caddy, ['validate', '--adapter', 'caddyfile', '--config', file], { env });
    const args = ['run', '--adapter', 'caddyfile', '--config', file];
    const start = () => launch({ command: caddy, args, log, env, survives: false });
    await using _engine = await runEngine({ port, log, stopSignal: 'SIGTERM', start });
    await waitFor(async () => !(await isPortFree(port)), { what: 'Caddy' });
    const headers = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'telling-browser' };
    const reply = await fetch(`http://127.0.0.1:${port}/v1/files/x?token=secret-token`, { headers });
    expect(reply.status).toBe(502);
    const readErrors = (): string[] =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.includes('http.log.error'));
    await waitFor(async () => readErrors().length > 0, { what: "Caddy's entry of the error" });
    const [entry = ''] = readErrors();
    expect(JSON.parse(entry)).toMatchObject({ level: 'error', status: 502, msg: expect.stringContaining('refused') });
    expect(readFileSync(log, 'utf8')).not.toMatch(/secret-token|remote_ip|203\.0\.113\.7|telling-browser/);
  },
);
