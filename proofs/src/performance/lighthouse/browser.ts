/** Debian's Chromium with a debugging port for Lighthouse and an empty profile. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitFor } from '@dostar/tools/servers';

export interface OpenBrowser extends AsyncDisposable {
  port: number;
}

export async function startBrowser(): Promise<OpenBrowser> {
  const port = await freePort();
  const profile = await mkdtemp(join(tmpdir(), 'dostar-lighthouse-'));
  const browser = spawn(
    '/usr/bin/chromium',
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      `--remote-debugging-port=${port}`,
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  const stop = async (): Promise<void> => {
    browser.kill();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await waitFor(() => isThere(port), { what: 'the browser', timeoutMs: 10_000, everyMs: 100 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, [Symbol.asyncDispose]: stop };
}

function isThere(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/json/version`).then(
    (reply) => reply.ok,
    () => false,
  );
}
