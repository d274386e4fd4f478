/** Information about the operator, and the answers if there is none. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getOperator } from '@dostar/protocol/contract/operator';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readOperator } from '../src/operator.ts';
import { writeSecurityText } from '../src/features/operations/site/security-text.ts';
import { startTestCluster } from './test-cluster.ts';

const ADDRESS = '/.well-known/security.txt';
const engines = { postgresUrl: inject('postgresUrl'), natsUrl: inject('natsUrl') };
const now = Date.parse('2026-03-01T10:00:00Z');

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dostar-operator-'));
  file = join(folder, 'operator.json');
});
afterAll(() => rm(folder, { recursive: true }));

const said = {
  name: 'The Bek family',
  contacts: ['mailto:home@example.org', 'tel:+7-701-000-00-00'],
  privacy: { ru: 'Мы храним только нужное.' },
  security: { contacts: ['mailto:security@example.org', 'https://example.org/report'] },
};

test('without operator information there is no security.txt and no name', async () => {
  await using cluster = await startTestCluster(engines);
  expect((await fetch(cluster.url + ADDRESS)).status).toBe(404);
  expect(await cluster.call(getOperator, undefined)).toMatchObject({
    status: 200,
    body: { name: null, contacts: [], privacy: {} },
  });
});

test('the file’s information is shown, and security.txt follows RFC 9116', async () => {
  await writeFile(file, JSON.stringify(said));
  const env = { OPERATOR_FILE: file, ORIGIN: 'https://family.example' };
  await using cluster = await startTestCluster({ ...engines, env, overrides: { clock: { now: () => now } } });
  const { body } = await cluster.call(getOperator, undefined);
  expect(body).toEqual({ name: said.name, contacts: said.contacts, privacy: said.privacy });
  const reply = await fetch(cluster.url + ADDRESS);
  expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await reply.text()).toBe(
    [
      'Contact: mailto:security@example.org',
      'Contact: https://example.org/report',
      'Expires: 2026-08-28T00:00:00Z',
      'Preferred-Languages: en, kk, ru',
      'Canonical: https://family.example/.well-known/security.txt',
      '',
    ].join('\n'),
  );
});

test('the expiry date is used unchanged, and after it there is no security.txt', async () => {
  const security = { ...said.security, expires: '2026-04-01', policy: 'https://example.org/policy' };
  await writeFile(file, JSON.stringify({ security }));
  const operator = readOperator(file);
  const text = writeSecurityText(operator, 'https://x.example/s', now);
  expect(text).toContain('Expires: 2026-04-01T00:00:00Z\nPolicy: https://example.org/policy\n');
  expect(writeSecurityText(operator, 'https://x.example/s', Date.parse('2026-04-01'))).toBeUndefined();
});

test.each([
  { contacts: ['home@example.org'] },
  { contacts: ['javascript:alert(1)'] },
  { security: { contacts: [] } },
  { privacy: { de: 'x' } },
  { nmae: 'x' },
])('a file with a mistake stops the server: %j', async (wrong) => {
  await writeFile(file, JSON.stringify(wrong));
  expect(() => readOperator(file)).toThrow('bad OPERATOR_FILE');
});
