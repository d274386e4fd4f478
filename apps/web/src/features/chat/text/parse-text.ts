/**
 * What a person typed, as nodes. A message is never HTML: what is not understood here stays the letters it was.
 *
 * `*bold*`, `_italic_`, `~struck~`, `` `code` `` and a block between lines of three backticks, as people know it from
 * other messengers; a mark counts only at the edge of a word, so that 2*3*4 and snake_case stay themselves.
 */
export type TextNode =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'code' | 'block'; text: string }
  | { kind: 'bold' | 'italic' | 'struck'; nodes: TextNode[] };

export interface FoundLink {
  index: number;
  lastIndex: number;
  text: string;
  /** Missing while nobody can say yet whether it is one: until then it is these letters, and no mark of formatting. */
  url?: string;
}

export type FindLinks = (text: string) => FoundLink[];

const marks = { '*': 'bold', _: 'italic', '~': 'struck' } as const;

const block = /```\n?([\s\S]+?)\n?```/g;
const code = /`([^`\n]+)`/g;
const marked = /(?<![\p{L}\p{N}\\])([*_~])(?=\S)([^\n]*?\S)\1(?![\p{L}\p{N}])/gu;

export function parseText(text: string, findLinks: FindLinks): TextNode[] {
  const parseLines = (lines: string): TextNode[] =>
    split(
      lines,
      code,
      ([, inner = '']) => ({ kind: 'code', text: inner }),
      (rest) => parseLinks(rest, findLinks),
    );
  return split(text, block, ([, inner = '']) => ({ kind: 'block', text: inner }), parseLines);
}

/** Before marks: an address may well contain `_` and `*`. */
function parseLinks(text: string, findLinks: FindLinks): TextNode[] {
  const nodes: TextNode[] = [];
  let from = 0;
  for (const { index, lastIndex, url, text: shown } of findLinks(text)) {
    const node: TextNode = url === undefined ? { kind: 'text', text: shown } : { kind: 'link', text: shown, href: url };
    nodes.push(...parseMarks(text.slice(from, index)), node);
    from = lastIndex;
  }
  return [...nodes, ...parseMarks(text.slice(from))];
}

function parseMarks(text: string): TextNode[] {
  return split(
    text,
    marked,
    ([, mark = '*', inner = '']) => ({ kind: marks[mark as keyof typeof marks], nodes: parseMarks(inner) }),
    (plain) => [{ kind: 'text', text: plain }],
  );
}

/** Turns each match into a node and leaves what lies between to `parseRest`. */
function split(
  text: string,
  pattern: RegExp,
  toNode: (match: RegExpExecArray) => TextNode,
  parseRest: (text: string) => TextNode[],
): TextNode[] {
  const nodes: TextNode[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) nodes.push(...parseRest(text.slice(from, match.index)));
    nodes.push(toNode(match));
    from = match.index + match[0].length;
  }
  if (from < text.length) nodes.push(...parseRest(text.slice(from)));
  return nodes;
}

const onlyEmoji = /^(?:\p{RGI_Emoji}|\s)+$/v;
const emoji = /\p{RGI_Emoji}/gv;
const MOST_LARGE = 3;

/** One to three emoji and nothing else are shown large. */
export function isLargeEmoji(text: string): boolean {
  return text.length < 64 && onlyEmoji.test(text) && (text.match(emoji)?.length ?? 0) <= MOST_LARGE;
}
