// @vitest-environment node
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

const MAX_BYTES = 90 * 1024;

test('the client without engine and search is within its budget, and dynamic imports load those two', async () => {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root: fileURLToPath(new URL('..', import.meta.url)),
    build: {
      write: false,
      minify: true,
      rolldownOptions: {
        input: fileURLToPath(import.meta.resolve('@dostar/client')),
        // A page's entry exports nothing, so the bundler would drop an unused client.
        preserveEntrySignatures: 'strict',
      },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const chunks = output.filter((one) => one.type === 'chunk');
  const core = chunks.find(({ isEntry }) => isEntry)!;
  const modules = Object.keys(core.modules).join('\n');
  expect(gzipSync(core.code, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES);
  expect(modules).not.toMatch(/minisearch|matrix-sdk-crypto/);
  expect(
    chunks.some(({ isDynamicEntry, modules: own }) => isDynamicEntry && /minisearch/.test(Object.keys(own).join())),
  ).toBe(true);
});
