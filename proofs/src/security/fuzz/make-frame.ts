import { breakText, mutateTree } from './mutate.ts';
import type { Random } from './random.ts';
import type { FrameInput } from './sockets.ts';
import { toTree, writeJson } from './write-json.ts';

const SHARE = { valid: 0.1, brokenText: 0.12, binary: 0.03, early: 0.05 };

export function makeFrame(random: Random, frame: unknown, marker: string): FrameInput {
  const tree = random.chance(SHARE.valid) ? frame : mutateTree(random, toTree(frame), marker);
  const text = writeJson(tree);
  return {
    bytes: random.chance(SHARE.brokenText) ? breakText(random, text, marker) : Buffer.from(text),
    isBinary: random.chance(SHARE.binary),
    isEarly: random.chance(SHARE.early),
  };
}
