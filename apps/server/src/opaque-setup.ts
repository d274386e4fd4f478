/** Prints a new `OPAQUE_SETUP`. Made once per installation: `node apps/server/src/opaque-setup.ts > FILE`. */
import process from 'node:process';
import { createSetup } from './platform/security/opaque.ts';

process.stdout.write(`${await createSetup()}\n`);
