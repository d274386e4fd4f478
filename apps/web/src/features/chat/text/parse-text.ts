/**
 * Parses message text into nodes. A message is never HTML; unknown markup stays plain text.
 *
 * `*bold*`, `_italic_`, `~struck~`, `` `code` ``, and a block between lines of three backticks, as in other messengers.
 * A mark counts only at a word boundary, so that 2*3*4 and snake_case stay unchanged.
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
  /** Undefined until the link finder is loaded; the word is then plain text without formatting. */
  url?: string;
}

export type FindLinks = (text: string) => FoundLink[];

const marks = { '*': 'bold', _: 'italic', '~': 'struck' } as const;
type Mark = keyof typeof marks;

const block = /```\n?([\s\S]+?)\n?```/g;
const code = /`([^`\n]+)`/g;
const opening = /(?<![\p{L}\p{N}\\])[*_~](?=\S)/gu;
const closing = /(?<=\S)[*_~](?![\p{L}\p{N}])/gu;

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

/** Runs before the marks are parsed: a URL may contain `_` and `*`. */
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

/**
 * Pairs each opening mark with the next closing mark of its kind on the same line. Takes linear time, even for an
 * attacker's text with many unpaired marks. Marks of one kind do not nest, so it recurses at most three levels.
 */
function parseMarks(text: string): TextNode[] {
  const nodes: TextNode[] = [];
  const findClosing = trackClosing(text);
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(opening)) {
    if (index < from) continue;
    const end = findClosing(mark as Mark, index);
    if (end === undefined) continue;
    if (index > from) nodes.push({ kind: 'text', text: text.slice(from, index) });
    nodes.push({ kind: marks[mark as Mark], nodes: parseMarks(text.slice(index + 1, end)) });
    from = end + 1;
  }
  if (from < text.length) nodes.push({ kind: 'text', text: text.slice(from) });
  return nodes;
}

/** Returns a function that must be called with increasing positions, because it never looks back. */
function trackClosing(text: string): (mark: Mark, opened: number) => number | undefined {
  const places = Map.groupBy(text.matchAll(closing), ({ 0: mark }) => mark);
  const seen = { '*': 0, _: 0, '~': 0 };
  let lineEnd = -1;
  return (mark, opened) => {
    const own = places.get(mark) ?? [];
    // At least one character between the marks.
    while ((own[seen[mark]]?.index ?? Infinity) < opened + 2) seen[mark] += 1;
    const end = own[seen[mark]]?.index;
    if (lineEnd < opened) lineEnd = text.indexOf('\n', opened);
    if (lineEnd < 0) lineEnd = text.length;
    return end !== undefined && end < lineEnd ? end : undefined;
  };
}

/** Turns each match into a node; `parseRest` parses the text between matches. */
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

const emoji = /\p{RGI_Emoji}/gv;
const MAX_LARGE_EMOJI = 3;

/** A message of one to three emoji is shown large. */
export function isLargeEmoji(text: string): boolean {
  if (text.length >= 64 || text.replaceAll(emoji, '').trim() !== '') return false;
  const count = text.match(emoji)?.length ?? 0;
  return count > 0 && count <= MAX_LARGE_EMOJI;
}
