// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { settle } from './check.ts';
import { encryptionChecks } from './encryption-checks.ts';

const place = { tag: 'en', isSignedIn: false, sample: '' };

describe('the encryption check', () => {
  it.each(encryptionChecks.filter(({ id }) => id !== 'unlock'))(
    '$id passes with working browser APIs',
    async ({ run }) => {
      expect(await settle(() => run(place))).toMatchObject({ state: 'pass' });
    },
  );

  it('fails if the browser decrypts a modified message', async () => {
    const whole = crypto.subtle.decrypt.bind(crypto.subtle);
    crypto.subtle.decrypt = async () => await Promise.resolve(new ArrayBuffer(0));
    try {
      const tamper = encryptionChecks.find(({ id }) => id === 'tamper');
      expect(await tamper?.run(place)).toMatchObject({ state: 'fail' });
    } finally {
      crypto.subtle.decrypt = whole;
    }
  });
});
