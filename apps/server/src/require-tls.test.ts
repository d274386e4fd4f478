import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { requireTls } from './require-tls.ts';

const LOCAL = { smtpUrl: 'smtp://127.0.0.1:25', textMessageUrl: undefined, tls: undefined };

function check(env: Record<string, string>, secrets: Partial<Parameters<typeof requireTls>[1]> = {}): void {
  requireTls(readConfig(env), { ...LOCAL, ...secrets });
}

test('this machine and its sockets need no TLS', () => {
  expect(() => check({})).not.toThrow();
  const socket = 'postgres://dostar@%2Frun%2Fpostgresql/x';
  expect(() =>
    check({ DIRECTORY_URL: socket, SHARD_URLS: `0=${socket}`, NATS_URLS: 'nats://[::1]:4222,localhost' }),
  ).not.toThrow();
});

test.each([
  ['DIRECTORY_URL', 'postgres://u:hidden@db.example/x', 'db.example'],
  ['DIRECTORY_URL', 'postgres://u:hidden@db.example/x?sslmode=no-verify', 'db.example'],
  ['DIRECTORY_URL', 'postgres://u:hidden@db.example/x?sslmode=prefer', 'db.example'],
  ['DIRECTORY_URL', 'postgres://u:hidden@127.0.0.1/x?host=db.example', 'db.example'],
  ['SHARD_URLS', '0=postgres://127.0.0.1/x,1=postgres://u:hidden@db.example/x', 'db.example'],
  ['NATS_URLS', '127.0.0.1:4222,nats.example:4222', 'nats.example'],
  ['NATS_URLS', 'nats://10.0.0.5', '10.0.0.5'],
  ['S3_ENDPOINT', 'http://s3.example', 's3.example'],
  ['OTLP_TRACES_URL', 'http://traces.example/v1/traces', 'traces.example'],
  ['FCM_URL', 'http://fcm.example', 'fcm.example'],
  ['GOOGLE_ISSUER', 'http://id.example', 'id.example'],
  ['AMADEUS_URL', 'http://amadeus.example', 'amadeus.example'],
  ['HOST', '0.0.0.0', '0.0.0.0'],
  ['CONSOLE_HOST', '0.0.0.0', '0.0.0.0'],
])('%s=%s is refused, unless its host is named', (setting, value, host) => {
  const refused = new RegExp(`not on this machine: ${setting} \\(${host}\\)\\.`);
  expect(() => check({ [setting]: value })).toThrow(refused);
  expect(() => check({ [setting]: value })).not.toThrow('hidden');
  expect(() => check({ [setting]: value, ALLOW_PLAINTEXT_TO: `other, ${host}` })).not.toThrow();
});

test('so are mail and text messages', () => {
  expect(() => check({}, { smtpUrl: 'smtp://u:hidden@mail.example?requireTLS=false' })).toThrow(
    /SMTP_URL \(mail\.example\)/,
  );
  expect(() => check({}, { smtpUrl: 'smtp://u:hidden@mail.example?ignoreTLS=true' })).toThrow(/SMTP_URL/);
  expect(() => check({}, { textMessageUrl: 'http://sms.example/?token=hidden' })).toThrow(
    /TEXT_MESSAGE_URL \(sms\.example\)/,
  );
  expect(() =>
    check({}, { smtpUrl: 'smtp://u:p@mail.example:587', textMessageUrl: 'https://sms.example' }),
  ).not.toThrow();
});

test('TLS is enough everywhere', () => {
  const database = 'postgres://db.example/x?sslmode=verify-full';
  const env = {
    DIRECTORY_URL: database,
    SHARD_URLS: `0=${database}`,
    NATS_URLS: 'tls://nats.example:4222',
    S3_ENDPOINT: 'https://s3.example',
    OTLP_TRACES_URL: 'https://traces.example',
    HOST: '0.0.0.0',
  };
  expect(() => check(env, { tls: { cert: 'c', key: 'k' } })).not.toThrow();
});
