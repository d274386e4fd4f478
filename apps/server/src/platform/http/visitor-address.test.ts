import { expect, test } from 'vitest';
import { isProxyName, networksOf, openProxies, readVisitor, visitorOf, widestNetworkOf } from './visitor-address.ts';

const onThisMachine = openProxies(['loopback']);

test('a visitor is who the proxy on this machine says', () => {
  expect(readVisitor('127.0.0.1', '203.0.113.7', onThisMachine)).toBe('203.0.113.7');
  expect(readVisitor('::ffff:127.0.0.1', '203.0.113.7', onThisMachine)).toBe('203.0.113.7');
  expect(readVisitor('::1', '2001:db8::7', onThisMachine)).toBe('2001:db8:0:0::');
});

test('all addresses of an IPv6 network are one visitor, in whatever form they are written', () => {
  const network = '2001:db8:0:0::';
  for (const ip of ['2001:db8::1', '2001:db8::ffff', '2001:0DB8:0:0:1:2:3:4', '2001:db8::1%eth0', network])
    expect(visitorOf({ ip })).toBe(network);
  expect(visitorOf({ ip: '2001:db8:0:1::1' })).toBe('2001:db8:0:1::');
  expect(visitorOf({ ip: '::1' })).toBe('0:0:0:0::');
});

test('an IPv4 address is a visitor of its own, also where the socket names it as IPv6', () => {
  for (const ip of ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107'])
    expect(visitorOf({ ip })).toBe('203.0.113.7');
  expect(visitorOf({ ip: '203.0.113.8' })).toBe('203.0.113.8');
});

test('what is no address is taken as it is', () => {
  expect(['', 'unix', '203.0.113'].map((ip) => visitorOf({ ip }))).toEqual(['', 'unix', '203.0.113']);
});

test('what a visitor wrote before the proxy added its own is not believed', () => {
  expect(readVisitor('127.0.0.1', '198.51.100.1, 203.0.113.7', onThisMachine)).toBe('203.0.113.7');
});

test('X-Forwarded-For of any other caller is ignored', () => {
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

test('an IPv6 network counts for a /56 and a /48 with larger limits; IPv4 addresses and other keys count alone', () => {
  expect(networksOf(visitorOf({ ip: '2001:db8:1:2345::7' }))).toEqual([
    { network: '2001:db8:1:2345::', factor: 1 },
    { network: '2001:db8:1:2300::/56', factor: 4 },
    { network: '2001:db8:1::/48', factor: 16 },
  ]);
  for (const key of ['203.0.113.7', 'someone@example.org', '7f000000-0000-4000-8000-000000000001'])
    expect(networksOf(key)).toEqual([{ network: key, factor: 1 }]);
});

test('what a key names after the address is part of every network', () => {
  expect(networksOf('2001:db8:1:2345:: chunk 3').map(({ network }) => network)).toEqual([
    '2001:db8:1:2345:: chunk 3',
    '2001:db8:1:2300::/56 chunk 3',
    '2001:db8:1::/48 chunk 3',
  ]);
  expect([widestNetworkOf('2001:db8:1:2345::'), widestNetworkOf('203.0.113.7')]).toEqual([
    '2001:db8:1::/48',
    '203.0.113.7',
  ]);
});
