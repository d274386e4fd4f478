/** Codes of authenticator apps (RFC 6238): SHA-1, six digits, thirty seconds. */
import { productName } from '@dostar/protocol/product';
import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** A phone's clock may be half a minute off. */
const WINDOW = 1;

export interface NewTotp {
  secret: string;
  /** The content of the QR code. */
  uri: string;
}

export function generateTotp(label: string): NewTotp {
  const secret = new Secret({ size: 20 });
  const totp = new TOTP({ issuer: productName, label, secret, period: PERIOD_SECONDS });
  return { secret: secret.base32, uri: totp.toString() };
}

/** The time step of the code; undefined for a wrong code. */
export function findStep(secret: string, code: string, now: number): number | undefined {
  const settings = { period: PERIOD_SECONDS, timestamp: now };
  const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(secret), window: WINDOW, ...settings });
  return delta === null ? undefined : TOTP.counter(settings) + delta;
}
