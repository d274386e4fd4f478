/** A process that draws one picture: the wish as an argument, bytes in, bytes out, and why not as the exit code. */
import { buffer } from 'node:stream/consumers';
import { draw } from './draw.ts';
import { CannotDraw, FAILURES } from './wish.ts';
import type { PictureWish } from './wish.ts';

const [wish = '', scratch = ''] = process.argv.slice(2);
try {
  const drawn = await draw(JSON.parse(wish) as PictureWish, await buffer(process.stdin), scratch);
  process.stdout.write(drawn);
} catch (error) {
  process.exitCode = FAILURES[error instanceof CannotDraw && error.why !== 'busy' ? error.why : 'unreadable'];
}
