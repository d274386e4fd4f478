import { productVersion } from '@dostar/protocol/product';
import { expect, test } from 'vitest';
import { findCommand } from '../src/cli/commands.ts';

test('`admin version` prints the version and opens nothing', async () => {
  const prepared = findCommand(['version'])!.command.prepare([]);
  expect(prepared.needs).toBe('nothing');
  if (prepared.needs === 'nothing') expect((await prepared.run({} as never)).out).toBe(productVersion);
});
