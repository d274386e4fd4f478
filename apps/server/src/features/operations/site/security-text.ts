import type { Operator } from '../../../operator.ts';

const DAY_MS = 24 * 3_600_000;
const VALID_FOR_MS = 180 * DAY_MS;

/** RFC 9116. Undefined without a contact, or once the operator's own day has passed: an outdated contact misleads. */
export function writeSecurityText({ security }: Operator, address: string, now: number): string | undefined {
  if (!security) return undefined;
  const { contacts, policy, expires } = security;
  const rolling = Math.floor((now + VALID_FOR_MS) / DAY_MS) * DAY_MS;
  const expiresAt = expires === undefined ? rolling : Date.parse(`${expires}T00:00:00Z`);
  if (expiresAt <= now) return undefined;
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(expiresAt).toISOString().replace('.000', '')}`,
    ...(policy === undefined ? [] : [`Policy: ${policy}`]),
    'Preferred-Languages: en, kk, ru',
    `Canonical: ${address}`,
    '',
  ].join('\n');
}
