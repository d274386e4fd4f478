/** The most that the server accepts. */
export const MAX_NOTE = 1_000;

const MIN_QUOTE_LENGTH = 60;

/** The person's words in full, then as many messages as fit, each on lines of its own, the newest last. */
export function composeReportNote(words: string, messages: readonly string[]): string {
  const own = words.trim().slice(0, MAX_NOTE);
  const remaining = MAX_NOTE - own.length - 2 * messages.length;
  const perMessage = Math.floor(remaining / Math.max(1, messages.length)) - 2;
  if (messages.length === 0 || perMessage < MIN_QUOTE_LENGTH) return own;
  const quoted = messages.map((text) => `> ${shorten(text, perMessage)}`);
  return [own, ...quoted].filter((part) => part !== '').join('\n');
}

function shorten(text: string, length: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
