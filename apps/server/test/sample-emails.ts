/** One email of each template, with all its optional parts. */
import type { Locale } from '@dostar/protocol/contract/accounts';
import { AccountChange, AppwriteChange } from '../src/features/operations/email/templates.ts';
import type { EmailMessage } from '../src/features/operations/email/templates.ts';

const path = '/verify#kYb2WqL8rT0nQm5sXv7zPj3HfDg1CeUa';
const link = 'https://dostar.example/v?a=1&userId=6af8e5be003dfe648d83&secret=kYb2WqL8rT0nQm5sXv7zPj3HfDg1CeUa';
const at = Date.UTC(2026, 10, 15, 2, 38);

export function sampleEmails(locale: Locale): EmailMessage[] {
  const to = { to: 'aigerim@example.org', locale };
  return [
    { ...to, template: 'code', data: { code: '482913', minutes: 10 } },
    { ...to, template: 'sign-in-code', data: { code: '007121', minutes: 10 } },
    { ...to, template: 'reauthentication-code', data: { code: '330518', minutes: 10 } },
    { ...to, template: 'already-here', data: {} },
    { ...to, template: 'verify-address', data: { path, minutes: 1_440 } },
    { ...to, template: 'recovery', data: { path: path.replace('verify', 'reset-password'), minutes: 30 } },
    { ...to, template: 'sign-in-notice', data: { device: 'Firefox, Windows', at, timeZone: 'Asia/Almaty' } },
    { ...to, template: 'email-change-old', data: { path, minutes: 60, newAddress: 'aigerim.new@example.org' } },
    { ...to, template: 'email-change-new', data: { path, minutes: 60 } },
    { ...to, template: 'password-changed', data: { at, timeZone: undefined } },
    { ...to, template: 'account-deleted', data: {} },
    { ...to, template: 'use-google', data: {} },
    { ...to, template: 'recovery-key', data: { at, timeZone: undefined } },
    { ...to, template: 'account-locked', data: { at, timeZone: undefined } },
    { ...to, template: 'fresh-start', data: { at, timeZone: undefined } },
    { ...to, template: 'email-changed', data: { newAddress: 'aigerim.new@example.org' } },
    ...AccountChange.options.map((change) => {
      return { ...to, template: 'account-changed' as const, data: { change, at, timeZone: undefined } };
    }),
    ...AppwriteChange.options.map((change) => {
      return { ...to, template: 'service-changed' as const, data: { change, at, timeZone: undefined } };
    }),
    { ...to, template: 'wrong-passwords', data: { at, timeZone: undefined } },
    { ...to, template: 'wrong-codes', data: { at, timeZone: undefined } },
    { ...to, template: 'service-wrong-passwords', data: { at, timeZone: undefined } },
    { ...to, template: 'service-wrong-codes', data: { at, timeZone: undefined } },
    { ...to, template: 'service-sign-in', data: { device: 'Firefox, Windows', at, timeZone: 'Asia/Almaty' } },
    { ...to, template: 'service-verification', data: { link, minutes: 60 } },
    { ...to, template: 'service-recovery', data: { link, minutes: 60 } },
  ];
}
