import { expect, test } from 'vitest';
import { isProxyName, openProxies, readVisitor } from './visitor-address.ts';

const onThisMachine = openProxies(['loopback']);

test('a visitor is who the proxy on this machine says', () => {
  expect(readVisitor('127.0.0.1', '203.0.113.7', onThisMachine)).toBe('203.0.113.7');
  expect(readVisitor('::ffff:127.0.0.1', '203.0.113.7', onThisMachine)).toBe('203.0.113.7');
  expect(readVisitor('::1', '2001:db8::7', onThisMachine)).toBe('2001:db8::7');
});

test('what a visitor wrote before the proxy added its own is not believed', () => {
  expect(readVisitor('127.0.0.1', '198.51.100.1, 203.0.113.7', onThisMachine)).toBe('203.0.113.7');
});

test('nobody else may say who they are', () => {
  expect(readVisitor('203.0.113.9', '127.0.0.1', onThisMachine)).toBe('203.0.113.9');
  expect(readVisitor('10.0.0.9', '203.0.113.7', onThisMachine)).toBe('10.0.0.9');
});

test('a proxy without the header is the visitor itself', () => {
  expect(readVisitor('127.0.0.1', undefined, onThisMachine)).toBe('127.0.0.1');
  expect(readVisitor('127.0.0.1', ' , ', onThisMachine)).toBe('127.0.0.1');
});

test('proxies elsewhere are named by network', () => {
  const inside = openProxies(['10.1.0.0/16', '2001:db8::/32', '192.0.2.3']);
  expect(['10.1.255.1', '2001:db8:1::1', '192.0.2.3'].every(inside)).toBe(true);
  expect(['10.2.0.1', '127.0.0.1', '192.0.2.4', 'unix', ''].some(inside)).toBe(false);
  expect(openProxies(['private'])('172.18.0.2')).toBe(true);
});

test('only networks and the two words are names', () => {
  expect(['loopback', 'private', '10.0.0.0/8', '::1', '192.0.2.3'].every(isProxyName)).toBe(true);
  expect(['', 'all', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/x', 'chat.example'].some(isProxyName)).toBe(false);
});
