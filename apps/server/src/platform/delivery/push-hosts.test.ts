import { expect, test } from 'vitest';
import { vendorOf } from './push-hosts.ts';

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
