import { expect, test } from 'vitest';
import { widenPolicy } from './widen-policy.ts';

const csp = "default-src 'none'; script-src 'self'; connect-src 'self'; worker-src 'self'";

test('pages may call Firebase only where the operator has configured it, and never run its scripts', () => {
  expect(widenPolicy(csp, false)).toBe(csp);
  const widened = widenPolicy(csp, true);
  expect(widened).toContain(
    "; connect-src 'self' https://firebaseinstallations.googleapis.com https://fcmregistrations.googleapis.com https://www.google-analytics.com;",
  );
  expect(widened).toContain("; script-src 'self';");
});
