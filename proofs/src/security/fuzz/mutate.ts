/** Mutates a valid body: first its tree, then its text. */
import { oddKey, oddText, oddValue } from './odd-values.ts';
import type { Random } from './random.ts';
import { Entries } from './write-json.ts';

/** A node of a tree: its value and a function that replaces it. `remove` is missing at the root. */
interface TreeNode {
  value: unknown;
  set: (value: unknown) => void;
  remove?: () => void;
  repeat?: (times: number) => void;
}

export function mutateTree(random: Random, root: unknown, marker: string): unknown {
  const tree = { root };
  const changes = 1 + random.below(3);
  for (let made = 0; made < changes; made += 1) {
    const nodes = listNodes({ value: tree.root, set: (value) => void (tree.root = value) });
    // Rarely mutates the root: replacing it hides all other mutations.
    change(random, random.chance(0.9) ? (random.pick(nodes.slice(1)) ?? nodes[0]!) : nodes[0]!, marker);
  }
  return tree.root;
}

function listNodes(node: TreeNode): TreeNode[] {
  const { value } = node;
  if (Array.isArray(value)) {
    const list = value as unknown[];
    const items = list.slice(0, 20).map((item, at) => ({
      value: item,
      set: (next: unknown) => void (list[at] = next),
      remove: () => void list.splice(at, 1),
      repeat: (times: number) => void list.splice(at, 0, ...Array.from({ length: times }, () => item)),
    }));
    return [node, ...items.flatMap(listNodes)];
  }
  if (!(value instanceof Entries)) return [node];
  const parts = value.list.slice(0, 40).map((entry) => ({
    value: entry[1],
    set: (next: unknown) => void (entry[1] = next),
    remove: () => void value.list.splice(value.list.indexOf(entry), 1),
    repeat: (times: number) =>
      value.list.push(...Array.from({ length: Math.min(times, 50) }, () => [...entry] as [string, unknown])),
  }));
  return [node, ...parts.flatMap(listNodes)];
}

function change(random: Random, node: TreeNode, marker: string): void {
  const { value } = node;
  switch (random.below(6)) {
    case 0:
      return node.remove ? node.remove() : node.set(oddValue(random, marker));
    case 1:
      return node.repeat?.(random.pick([1, 2, 60, 1_000]));
    case 2:
      if (value instanceof Entries) return void value.list.push([oddKey(random, marker), oddValue(random, marker)]);
      return node.set(oddValue(random, marker));
    case 3:
    case 4:
      return node.set(changeScalar(random, value, marker));
    default:
      return node.set(oddValue(random, marker));
  }
}

/** Changes a scalar only slightly, so that it gets past the first checks. */
function changeScalar(random: Random, value: unknown, marker: string): unknown {
  if (typeof value === 'string') return changeText(random, value, marker);
  if (typeof value === 'number')
    return random.pick([value + 1, value - 1, -value, value * 1e9, value + 0.5, String(value)]);
  if (typeof value === 'boolean') return random.pick<unknown>([!value, Number(value), String(value)]);
  return oddValue(random, marker);
}

export function changeText(random: Random, text: string, marker: string): string {
  const at = random.below(text.length + 1);
  switch (random.below(7)) {
    case 0:
      return text + marker;
    case 1:
      return text.slice(0, at);
    case 2:
      return text.slice(0, at) + oddText(random, marker) + text.slice(at);
    case 3:
      return text.slice(0, at) + String.fromCodePoint(1 + random.below(0x2ff)) + text.slice(at + 1);
    case 4:
      return text.toUpperCase();
    case 5:
      return text.repeat(1 + random.below(40));
    default:
      return oddText(random, marker);
  }
}

/** Breaks the text itself; the first parser refuses most of it. */
export function breakText(random: Random, text: string, marker: string): Buffer {
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length + 1);
  switch (random.below(8)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256)]), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0]), bytes.subarray(at)]);
    case 3:
      return Buffer.concat([Buffer.from('\uFEFF'), bytes]);
    case 4:
      return Buffer.concat([bytes, Buffer.from(` ${marker}`)]);
    case 5:
      return Buffer.concat([
        Buffer.from(random.pick([' ', '\n', '\t', '[', '{"a":', '"', '-']).repeat(1 + random.below(30_000))),
        bytes,
      ]);
    case 6:
      return Buffer.from(text.replaceAll('"', random.pick(["'", '', '""', '\\"'])));
    default:
      return Buffer.from(`/* ${marker} */${text}`);
  }
}
