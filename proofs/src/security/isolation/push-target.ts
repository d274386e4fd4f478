import { createECDH, randomBytes } from 'node:crypto';

/** A subscription as a browser makes it. Nothing is ever sent there. */
export function randomSubscription() {
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  return {
    endpoint: `https://fcm.googleapis.com/fcm/send/${randomBytes(8).toString('hex')}`,
    keys: { p256dh, auth: randomBytes(16).toString('base64url') },
    tagKey: randomBytes(32).toString('base64url'),
  };
}
