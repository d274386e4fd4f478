/** Text between `<!-- NAME: generated -->` and `<!-- NAME: end -->` of a page is written by `./dev reference`. */
export function replaceSections(page: string, sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections).reduce((text, [name, body]) => {
    const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from === -1 || to < from) throw new Error(`the page has no section ${name}`);
    return `${text.slice(0, from + begin.length)}\n\n${body}\n\n${text.slice(to)}`;
  }, page);
}

const WIDTH = 120;

/** An item of a list; further lines are indented as Markdown asks. */
export function wrapItem(text: string): string {
  const lines: string[] = [];
  let line = '-';
  for (const word of splitWords(text)) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = ` `;
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Words, with what stands between backquotes kept together. */
function splitWords(text: string): string[] {
  return text.match(/(?:`[^`]*`|[^\s`])+/g) ?? [];
}
