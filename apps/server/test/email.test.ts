import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { emailJobs } from '../src/features/operations/email/jobs.ts';
import { sendEmail } from '../src/features/operations/email/service.ts';
import { nextName } from './databases.ts';
import { openEmailWorker } from './email-worker.ts';
import type { EmailWorkerOptions } from './email-worker.ts';
import { makeSecretEnv } from './make-secrets.ts';
import { readStream } from './read-stream.ts';
import { startSmtpPeer } from './smtp-peer.ts';
import type { SmtpAnswer } from './smtp-peer.ts';
import { dropJobs } from './streams.ts';
import { startTestCluster } from './test-cluster.ts';

const natsUrl = inject('natsUrl');
const PATIENTLY = { timeout: 60_000, interval: 20 };

let secretEnv: Record<string, string>;
const prefix = nextName();
beforeAll(async () => {
  secretEnv = await makeSecretEnv();
});
afterAll(() => dropJobs(natsUrl, prefix));

let rooms = 0;
async function start(answers: SmtpAnswer[] = [], more: Partial<EmailWorkerOptions> = {}) {
  rooms += 1;
  const peer = await startSmtpPeer(answers);
  const options = { natsUrl, secretEnv, smtpUrl: peer.url, prefix: `${prefix}_${rooms}`, ...more };
  const emailWorker = await openEmailWorker(options);
  const stack = new AsyncDisposableStack();
  stack.use(peer);
  stack.use(emailWorker);
  return {
    ...emailWorker,
    peer,
    options,
    to: `person${randomInt(1e9)}@example.org`,
    work: () => stack.use(emailJobs(emailWorker.ctx)),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function codeEmail(to: string, id = 'one', code = '482913') {
  return { template: 'code', locale: 'en', to, id, data: { code, minutes: 10 } } as const;
}

test('a queued email arrives, to one person, with the headers that mail programs expect', async () => {
  await using emailWorker = await start();
  emailWorker.work();
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to));
  await vi.waitFor(() => expect(emailWorker.peer.emails).toHaveLength(1), PATIENTLY);
  const [email] = emailWorker.peer.emails;
  expect(email?.to).toEqual([emailWorker.to]);
  expect(email?.raw).toContain('482913');
  expect(email?.raw).toMatch(/^Auto-Submitted: auto-generated/m);
  expect(email?.raw).toMatch(/^Content-Language: en/m);
  expect(email?.raw).toMatch(/^Content-Type: multipart\/alternative/m);
  await vi.waitFor(async () => {
    expect(await emailWorker.count('dostar_emails_total', { template: 'code', outcome: 'sent' })).toBe(1);
    expect(await readStream(natsUrl, emailWorker.options.prefix)).toEqual([]);
  }, PATIENTLY);
});

test('the same id is one email, however often it is queued', async () => {
  await using emailWorker = await start();
  await using other = await openEmailWorker(emailWorker.options);
  await Promise.all([
    sendEmail(emailWorker.ctx, codeEmail(emailWorker.to)),
    sendEmail(emailWorker.ctx, codeEmail(emailWorker.to)),
    sendEmail(other.ctx, codeEmail(emailWorker.to)),
  ]);
  emailWorker.work();
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to, 'two'));
  await vi.waitFor(() => expect(emailWorker.peer.emails).toHaveLength(2), PATIENTLY);
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to));
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to, 'three'));
  await vi.waitFor(() => expect(emailWorker.peer.emails).toHaveLength(3), PATIENTLY);
  expect(new Set(emailWorker.peer.emails.map(({ messageId }) => messageId)).size).toBe(3);
});

test('an email that the mail server defers is sent again', async () => {
  await using emailWorker = await start(['defer', 'defer']);
  emailWorker.work();
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to));
  await vi.waitFor(() => expect(emailWorker.peer.emails).toHaveLength(1), PATIENTLY);
  expect(emailWorker.peer.tries).toBe(3);
  expect(await emailWorker.count('dostar_emails_total', { template: 'code', outcome: 'failed' })).toBe(2);
  expect(await emailWorker.count('dostar_jobs_total', { kind: 'mail', outcome: 'retried' })).toBe(2);
});

test('after a dropped connection the email is sent again with the same Message-ID', async () => {
  const ids: string[] = [];
  await using emailWorker = await start(['hang up']);
  emailWorker.peer.beforeAccepting = ({ messageId }) => ids.push(messageId);
  emailWorker.work();
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to));
  await vi.waitFor(() => expect(emailWorker.peer.emails).toHaveLength(1), PATIENTLY);
  expect(emailWorker.peer.tries).toBe(2);
  expect(ids[0]).toMatch(/^<[\w-]{43}@localhost>$/);
});

test('an unreachable mail server is retried', async () => {
  await using emailWorker = await start([], { smtpUrl: 'smtp://127.0.0.1:9', retryAfterMs: [50, 50] });
  emailWorker.work();
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to));
  await vi.waitFor(async () => {
    expect(await emailWorker.count('dostar_dead_letter_jobs_total', { kind: 'mail', reason: 'exhausted' })).toBe(1);
  }, PATIENTLY);
  expect(await emailWorker.count('dostar_emails_total', { outcome: 'failed' })).toBe(3);
});

test('an email to an unknown address is given up at once, and counted', async () => {
  await using emailWorker = await start(['refuse']);
  emailWorker.work();
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to));
  await vi.waitFor(async () => {
    expect(await emailWorker.count('dostar_dead_letter_jobs_total', { kind: 'mail', reason: 'refused' })).toBe(1);
    expect(await emailWorker.count('dostar_emails_total', { template: 'code', outcome: 'dead' })).toBe(1);
  }, PATIENTLY);
  expect(emailWorker.peer.tries).toBe(1);
  expect(await readStream(natsUrl, emailWorker.options.prefix)).toEqual([]);
  const [dead, ...others] = await readStream(natsUrl, `${emailWorker.options.prefix}_dead`);
  expect(others).toEqual([]);
  expect(dead).toMatchObject({ subject: `${emailWorker.options.prefix}.dead.mail` });
  expect(dead?.headers).toContain('Dostar-Reason: refused');
});

test('neither NATS nor the log ever learns an address, a code or a link', async () => {
  await using emailWorker = await start(['defer', 'refuse']);
  const wire: string[] = [];
  const listener = await connect({ servers: natsUrl });
  listener.subscribe('>', {
    callback: (_error, message) => {
      const headers = [...(message.headers ?? [])].flat(2).join(' ');
      wire.push(`${message.subject} ${message.reply ?? ''} ${headers} ${message.string()}`);
    },
  });
  await listener.flush();
  const code = String(randomInt(100_000, 1_000_000));
  const path = '/reset-password#a-token-of-somebody';
  const { to } = emailWorker;
  await sendEmail(emailWorker.ctx, codeEmail(to, `code for ${to}`, code));
  await sendEmail(emailWorker.ctx, { template: 'recovery', locale: 'kz', to, id: 'r', data: { path, minutes: 30 } });
  const kept = (await readStream(natsUrl, emailWorker.options.prefix)).map((message) => JSON.stringify(message));
  expect(kept).toHaveLength(2);
  emailWorker.work();
  await vi.waitFor(async () => {
    expect(emailWorker.peer.emails).toHaveLength(1);
    expect(await emailWorker.count('dostar_dead_letter_jobs_total', { kind: 'mail' })).toBe(1);
  }, PATIENTLY);
  const dead = (await readStream(natsUrl, `${emailWorker.options.prefix}_dead`)).map((message) =>
    JSON.stringify(message),
  );
  await listener.drain();
  expect(emailWorker.lines.length).toBeGreaterThan(1);
  expect(wire.filter((words) => words.includes(`${emailWorker.options.prefix}.do.mail`)).length).toBeGreaterThan(2);
  // The mail server's refusals are included: they name the address, as real servers do.
  const secrets = [to, to.split('@')[0]!, code, 'a-token-of-somebody', 'aigerim@example.org'];
  const encoded = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('base64').replace(/=+$/, '')]);
  for (const words of [...wire, ...kept, ...dead, ...emailWorker.lines]) {
    for (const secret of encoded) expect(words).not.toContain(secret);
  }
});

test('a code that has expired in the queue is not sent', async () => {
  await using emailWorker = await start();
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to));
  const now = Date.now();
  emailWorker.ctx.clock = { now: () => now + 11 * 60_000 };
  emailWorker.work();
  await vi.waitFor(async () => {
    expect(await emailWorker.count('dostar_emails_total', { template: 'code', outcome: 'late' })).toBe(1);
    expect(await readStream(natsUrl, emailWorker.options.prefix)).toEqual([]);
  }, PATIENTLY);
  expect(emailWorker.peer.tries).toBe(0);
});

test('data that does not belong to the template is refused', async () => {
  await using emailWorker = await start();
  for (const data of [
    { code: '12345', minutes: 10 },
    { code: '482913\r\nBcc: all@example.org', minutes: 10 },
  ]) {
    await expect(sendEmail(emailWorker.ctx, { ...codeEmail(emailWorker.to), data })).rejects.toThrow();
  }
  await expect(sendEmail(emailWorker.ctx, codeEmail('a@example.org\r\nBcc: b@example.org'))).rejects.toThrow();
  const path = 'https://evil.example/';
  const elsewhere = {
    template: 'recovery',
    locale: 'en',
    id: 'x',
    to: emailWorker.to,
    data: { path, minutes: 30 },
  } as const;
  await expect(sendEmail(emailWorker.ctx, elsewhere)).rejects.toThrow();
});

test('after a worker is killed during a send, another one completes the email', async () => {
  await using emailWorker = await start([], { ackWaitMs: 1_500 });
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to));
  await runCrashingWorker(emailWorker.options);
  expect(emailWorker.peer.emails).toHaveLength(1);
  emailWorker.work();
  await vi.waitFor(async () => {
    expect(emailWorker.peer.emails).toHaveLength(2);
    expect(await readStream(natsUrl, emailWorker.options.prefix)).toEqual([]);
  }, PATIENTLY);
  expect(emailWorker.peer.emails[0]?.messageId).toBe(emailWorker.peer.emails[1]?.messageId);
});

test('an email that crashes every worker is given up like any other', async () => {
  await using emailWorker = await start([], { ackWaitMs: 1_500, retryAfterMs: [50] });
  await sendEmail(emailWorker.ctx, codeEmail(emailWorker.to));
  await runCrashingWorker(emailWorker.options);
  await runCrashingWorker(emailWorker.options);
  emailWorker.work();
  await vi.waitFor(async () => {
    expect(await emailWorker.count('dostar_dead_letter_jobs_total', { kind: 'mail', reason: 'exhausted' })).toBe(1);
  }, PATIENTLY);
  expect(emailWorker.peer.emails).toHaveLength(2);
});

test('the worker of a whole server sends the emails that its api queued', async () => {
  await using peer = await startSmtpPeer();
  const env = { SMTP_URL: peer.url, MAIL_FROM: 'Family <post@family.example>' };
  await using cluster = await startTestCluster({ postgresUrl: inject('postgresUrl'), natsUrl, servers: 2, env });
  await sendEmail(cluster.ctx, { template: 'account-deleted', locale: 'ru', to: 'a@example.org', id: 'bye', data: {} });
  await vi.waitFor(() => expect(peer.emails).toHaveLength(1), PATIENTLY);
  expect(peer.emails[0]?.raw).toMatch(/^From: Family <post@family\.example>/m);
});

/** Runs the worker until it has crashed. */
async function runCrashingWorker(options: EmailWorkerOptions): Promise<void> {
  const program = fileURLToPath(new URL('./crashing-worker.ts', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  expect(signal).toBe('SIGKILL');
}
