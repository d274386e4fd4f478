// The Content Security Policy of pages. Each line meets a requirement of OWASP ASVS 5.0 (chapter 3).
import type { PageHashes } from './hash-page.ts';

const reportPath = '/csp-report';

export function writePolicy({ scripts, styles }: PageHashes): string {
  const directives: [string, ...string[]][] = [
    ['default-src', "'none'"],
    // Allows the encryption engine, which is WebAssembly, but no `eval` of text.
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

/**
 * The policy of the service worker, which no page's policy covers: fetch from this site, and run the encryption engine.
 */
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

/** Sent with every response of the site. */
export const siteHeaders: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // An invite's address must not be sent to the page that is opened next.
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
