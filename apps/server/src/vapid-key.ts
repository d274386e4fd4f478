/** Prints a new `VAPID_KEY`. Made once per installation: `node apps/server/src/vapid-key.ts > FILE`. */
import process from 'node:process';
import { createVapidKey } from './platform/delivery/web-push.ts';

process.stdout.write(`${createVapidKey()}\n`);
