/** docs/api/realtime.md shows every frame as both ends parse it. */
import { readFileSync } from 'node:fs';
import { BYE_REASONS, ClientFrame, ServerFrame } from '@dostar/protocol/realtime';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../../docs/api/realtime.md', import.meta.url), 'utf8');

function listExamples(side: 'client' | 'server'): unknown[] {
  return [...page.matchAll(new RegExp(`<!-- ${side} -->\\s+\`\`\`json\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text = '']) => JSON.parse(text) as unknown,
  );
}

test.each([
  ['client', ClientFrame],
  ['server', ServerFrame],
] as const)('every frame of the %s has an example that parses', (side, Frame) => {
  const examples = listExamples(side);
  // The schema would drop unknown members, so the parsed example must equal the original.
  for (const example of examples) expect(Frame.parse(example)).toEqual(example);
  const shown = new Set(examples.map((example) => (example as { t: string }).t));
  expect([...shown].toSorted()).toEqual(Frame.options.map(({ shape }) => shape.t.value).toSorted());
});

test('every example says who sends it', () => {
  expect(page.match(/```json/g)).toHaveLength(listExamples('client').length + listExamples('server').length);
});

test('every reason for a closed connection is explained, with the client’s reaction', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` +\|.*\| (soon|later|after\\_reload|never)\b.*\|$/gm)];
  const said = Object.fromEntries(rows.map(([, reason = '', what = '']) => [reason, what.replace('\\', '')]));
  expect(said).toEqual(
    Object.fromEntries(Object.entries(BYE_REASONS).map(([reason, { reconnect }]) => [reason, reconnect])),
  );
});
