// @vitest-environment node
import { expect, it, vi } from 'vitest';

it('the development server uses the backend of its own clone', async () => {
  vi.stubEnv('BACKEND_URL', 'http://127.0.0.1:3700');
  const { default: describe } = await import('../vite.config.ts');
  const { server } = describe({ command: 'serve', mode: 'development' });
  expect(server?.proxy).toMatchObject({
    '/api': 'http://127.0.0.1:3700',
    '/realtime': { target: 'http://127.0.0.1:3700' },
    '/v1': { target: 'http://127.0.0.1:3700' },
  });
});
