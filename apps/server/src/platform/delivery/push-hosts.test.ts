import { expect, test } from 'vitest';
import { listSampleHosts, vendorOf } from './push-hosts.ts';

test.each([
  ['web.push.apple.com', 'apple'],
  ['fcm.googleapis.com', 'google'],
  ['updates.push.services.mozilla.com', 'mozilla'],
  ['wns2-par02p.notify.windows.com', 'windows'],
  ['push.example.org', 'other'],
  ['push.apple.com.example.org', 'other'],
  ['evilgoogleapis.com', 'other'],
])('the vendor of the push service %s is %s', (hostname, vendor) => {
  expect(vendorOf(hostname)).toBe(vendor);
});

test('one host of each vendor that the operator allows stands for its other hosts', () => {
  const defaults = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.notify.windows.com', '*.push.apple.com'];
  expect(listSampleHosts(defaults)).toEqual([
    'fcm.googleapis.com',
    'updates.push.services.mozilla.com',
    'web.push.apple.com',
  ]);
  expect(listSampleHosts(['https://push.example.org:8443', '*.push.apple.com'])).toEqual([
    'https://push.example.org:8443',
    'web.push.apple.com',
  ]);
});
