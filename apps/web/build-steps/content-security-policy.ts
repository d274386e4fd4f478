// What a page may do, in the words browsers obey. Each line answers a requirement of OWASP ASVS 5.0 (chapter 3).
import type { PageHashes } from './hash-page.ts';

const reportPath = '/csp-report';

export function writePolicy({ scripts, styles }: PageHashes): string {
  const directives: [string, ...string[]][] = [
    ['default-src', "'none'"],
    // The encryption engine is WebAssembly; nothing may be evaluated from text.
    ['script-src', "'self'", "'wasm-unsafe-eval'", ...scripts],
    ['style-src', "'self'"],
    ...(styles.length > 0 ? [['style-src-attr', "'unsafe-hashes'", ...styles] as [string, ...string[]]] : []),
    ['img-src', "'self'", 'blob:', 'data:'],
    ['media-src', "'self'", 'blob:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'"],
    ['worker-src', "'self'"],
    ['manifest-src', "'self'"],
    ['form-action', "'self'"],
    ['base-uri', "'none'"],
    ['object-src', "'none'"],
    ['frame-src', "'none'"],
    ['frame-ancestors', "'none'"],
    ['require-trusted-types-for', "'script'"],
    ['trusted-types', 'default'],
    ['report-uri', reportPath],
  ];
  return directives.map((words) => words.join(' ')).join('; ');
}

/** What the service worker may do: fetch from this site, and run the encryption engine. No page's policy covers it. */
export const workerPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self'",
  `report-uri ${reportPath}`,
].join('; ');

const refusedFeatures = [
  'accelerometer',
  'browsing-topics',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'midi',
  'payment',
  'serial',
  'usb',
];

/** Sent with everything the site hands out. */
export const siteHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // An invitation's address must not travel to whatever page is opened next.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': [
    'camera=(self)',
    'microphone=(self)',
    ...refusedFeatures.map((feature) => `${feature}=()`),
  ].join(', '),
};
