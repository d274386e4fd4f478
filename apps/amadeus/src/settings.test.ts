import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

const env = {
  AMADEUS_SERVER: 'http://127.0.0.1:3000',
  AMADEUS_SITE: 'https://chat.example',
  AMADEUS_EMAIL: 'amadeus+0@chat.example',
  AMADEUS_PASSWORD: 'long enough for it',
  AMADEUS_DATA: '/tmp/amadeus',
};

test('the server and the model need TLS, except on this machine or on hosts that the operator allows', () => {
  expect(() => readSettings(env)).not.toThrow();
  expect(() => readSettings({ ...env, AMADEUS_SERVER: 'https://chat.example' })).not.toThrow();
  const elsewhere = { ...env, AMADEUS_SERVER: 'http://server:3000' };
  expect(() => readSettings(elsewhere)).toThrow('AMADEUS_SERVER (server) is not on this machine');
  expect(() => readSettings({ ...elsewhere, ALLOW_PLAINTEXT_TO: 'server' })).not.toThrow();
  const model = { ...env, AMADEUS_MODEL_URL: 'http://models.example/v1' };
  expect(() => readSettings(model)).toThrow('AMADEUS_MODEL_URL (models.example)');
});
