// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { settle } from './check.ts';
import { encryptionChecks } from './encryption-checks.ts';

const place = { tag: 'en', isSignedIn: false, sample: '' };

describe('the encryption check', () => {
  it.each(encryptionChecks.filter(({ id }) => id !== 'unlock'))(
    '$id passes where the tools are whole',
    async ({ run }) => {
      expect(await settle(() => run(place))).toMatchObject({ state: 'pass' });
    },
  );

  it('notices tools that open a changed message', async () => {
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
