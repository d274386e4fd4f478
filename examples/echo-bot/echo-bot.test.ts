/** Runs the sample as a process of its own against a real server: a person writes, and the bot answers, encrypted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Browser, newEmail } from '@dostar/client/testing/http-browser';
import type { Message } from '@dostar/client';
import { addOwner, signIn } from '@dostar/client/testing/owners';
import { until } from '@dostar/client/until';
import { listSessions } from '@dostar/protocol/contract/sessions';
import { getUser } from '@dostar/protocol/contract/users';
import { directChat } from '@dostar/protocol/ids';
import { ORIGIN, startTestCluster, type TestCluster } from '@dostar/server/testing';
import { readCode } from '@dostar/server/testing/browser';
import { type SmtpPeer, startSmtpPeer } from '@dostar/server/testing/smtp-peer';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    natsUrl: string;
  }
}

const PASSWORD = 'salem alem 2026';

let smtp: SmtpPeer;
let cluster: TestCluster;
beforeAll(async () => {
  smtp = await startSmtpPeer();
  cluster = await startTestCluster({
    postgresUrl: inject('postgresUrl'),
    natsUrl: inject('natsUrl'),
    env: { SMTP_URL: smtp.url },
  });
});
afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

/** Makes the bot's account like a person's: its password unlocks its keys. */
async function signUpBot() {
  const browser = new Browser({ urls: [cluster.url] });
  const email = newEmail();
  await browser.auth.beginSignUp({ email, password: PASSWORD, locale: 'en' });
  const account = await browser.auth.confirmSignUp(email, await readCode(smtp, email));
  const { username } = await browser.call(getUser);
  return { browser, email, account, username };
}

async function startBot(email: string) {
  const bot = spawn(process.execPath, [new URL('echo-bot.ts', import.meta.url).pathname], {
    env: { DOSTAR_URL: cluster.url, DOSTAR_ORIGIN: ORIGIN, BOT_EMAIL: email, BOT_PASSWORD: PASSWORD },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(bot, 'exit');
  for await (const line of createInterface({ input: bot.stdout })) {
    if (line === 'the bot listens') break;
  }
  bot.stdout.resume();
  return {
    async stop(): Promise<number | null> {
      bot.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}

function isAnswered(all: Message[]): boolean {
  return all.length === 2 && all.every(({ shows }) => shows.state !== 'waiting');
}

test('the echo bot answers a person, end-to-end encrypted, and signs out when it is stopped', async () => {
  const { browser, email, account, username } = await signUpBot();
  const bot = await startBot(email);
  const alice = await addOwner(cluster, 0);
  const { client } = await signIn(cluster, alice);
  await using _client = client;

  const { id } = await client.contacts.find(username);
  expect(id).toBe(account);
  await client.contacts.accept(id);
  await client.sendText({ to: id, text: 'salem, bot' });
  const timeline = client.live.timeline(directChat(alice.person.account, id), 10);
  const shows = { state: 'content', content: { kind: 'text', text: 'salem, bot' } };
  expect(await until(timeline, isAnswered)).toMatchObject([
    { sender: alice.person.account, shows },
    { sender: id, shows },
  ]);

  const entries = await cluster.listEntries(alice.person);
  expect(entries).toHaveLength(2);
  for (const entry of entries) {
    const body = Buffer.from(entry.kind === 'mail' ? entry.body! : '', 'base64url');
    expect(body.length).toBeGreaterThan(100);
    expect(body.toString('latin1')).not.toContain('salem');
  }

  expect(await bot.stop()).toBe(0);
  // Only the session of the sign-up remains.
  expect((await browser.call(listSessions)).sessions).toHaveLength(1);
});
