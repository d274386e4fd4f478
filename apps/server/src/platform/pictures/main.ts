/**
 * Draws one picture in its own process: options as an argument, bytes on stdin and stdout, the failure as exit code.
 */
import { buffer } from 'node:stream/consumers';
import { draw } from './draw.ts';
import { PictureError, FAILURES } from './transform.ts';
import type { PictureTransform } from './transform.ts';

const [transform = '', scratch = ''] = process.argv.slice(2);
try {
  const drawn = await draw(JSON.parse(transform) as PictureTransform, await buffer(process.stdin), scratch);
  process.stdout.write(drawn);
} catch (error) {
  process.exitCode = FAILURES[error instanceof PictureError && error.why !== 'busy' ? error.why : 'unreadable'];
}
