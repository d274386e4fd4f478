export interface Field {
  text: string;
  from: number;
  to: number;
}

/** Adds a formatting mark around the selection, or removes it; the text stays selected. */
export function wrapSelection({ text, from, to }: Field, mark: string): Field {
  const before = text.slice(0, from);
  const chosen = text.slice(from, to);
  const after = text.slice(to);
  const size = mark.length;
  if (before.endsWith(mark) && after.startsWith(mark)) {
    return { text: before.slice(0, -size) + chosen + after.slice(size), from: from - size, to: to - size };
  }
  return { text: before + mark + chosen + mark + after, from: from + size, to: to + size };
}

/** Replaces the selection by `piece` and puts the caret after it. */
export function insertText({ text, from, to }: Field, piece: string): Field {
  const caret = from + piece.length;
  return { text: text.slice(0, from) + piece + text.slice(to), from: caret, to: caret };
}
