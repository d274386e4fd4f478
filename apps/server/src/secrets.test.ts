import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSecretEnv } from '../test/make-secrets.ts';
import { readAdminSecrets, readSecrets } from './secrets.ts';

const key = (fill: string): string => Buffer.from(fill.repeat(32)).toString('base64');

test('a secret may lie in a file, and several keys may stand side by side', async () => {
  const { SECRET_KEY: _, ...others } = await makeSecretEnv();
  const dir = mkdtempSync(join(tmpdir(), 'dostar-secrets-'));
  const path = join(dir, 'key');
  writeFileSync(path, `${key('n')},\n${key('o')}\n`);
  const { keys } = readSecrets({ ...others, SECRET_KEY_FILE: path });
  expect(keys.map((each) => each.export().toString())).toEqual(['n'.repeat(32), 'o'.repeat(32)]);
  rmSync(dir, { recursive: true });
});

test('without a key, or with a short one, nothing starts, and the complaint does not repeat it', async () => {
  const { SECRET_KEY: _, ...others } = await makeSecretEnv();
  expect(() => readSecrets(others)).toThrow(/SECRET_KEY/);
  for (const bad of ['aBadSecret=', Buffer.from('aBadSecret').toString('base64'), 'not base64: aBadSecret']) {
    const read = () => readSecrets({ ...others, SECRET_KEY: bad });
    expect(read).toThrow(/SECRET_KEY/);
    expect(read).not.toThrow(bad);
  }
  expect(() => readSecrets({ ...others, SECRET_KEY: key('k'), SMTP_URL: 'http://user:pass@host' })).toThrow(/SMTP_URL/);
});

test('the command line needs no OPAQUE_SETUP, and the server does not start without', async () => {
  const { OPAQUE_SETUP: _, ...others } = await makeSecretEnv();
  expect(readAdminSecrets(others).opaqueSetups).toBeUndefined();
  expect(() => readSecrets(others)).toThrow(/OPAQUE_SETUP/);
});

test('secrets that are logged by mistake say nothing', async () => {
  const secrets = readSecrets({ ...(await makeSecretEnv()), SECRET_KEY: key('k') });
  expect(JSON.stringify(secrets.keys)).not.toContain(key('k').slice(0, 10));
});
