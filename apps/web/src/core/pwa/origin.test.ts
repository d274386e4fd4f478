import { describe, expect, it } from 'vitest';
import { findOriginProblem } from './origin.ts';

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1';
const good = { isSecureContext: true, hasSubtle: true, hasLocks: true, agent: chrome, isInstalled: false };
const insideIos =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';

describe('the origin check', () => {
  it('accepts an ordinary browser with https', () => {
    expect(findOriginProblem(good)).toBeUndefined();
    expect(findOriginProblem({ ...good, agent: safari })).toBeUndefined();
  });

  it.each([{ isSecureContext: false }, { hasSubtle: false }, { hasLocks: false }])(
    'is insecure when the browser withholds its tools: %o',
    (lack) => {
      expect(findOriginProblem({ ...good, ...lack })).toBe('insecure');
    },
  );

  it.each([
    insideIos,
    `${insideIos} Instagram 320.0.0`,
    'Mozilla/5.0 (Linux; Android 15; Pixel 8 Build/AP3A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/156.0.0.0 Mobile Safari/537.36',
    `${safari} [FBAN/FBIOS;FBAV/450.0]`,
  ])('is inside another app: %s', (agent) => {
    expect(findOriginProblem({ ...good, agent })).toBe('webview');
  });

  it('accepts an app installed on an iPhone, where the browser hides its name', () => {
    expect(findOriginProblem({ ...good, agent: insideIos, isInstalled: true })).toBeUndefined();
  });
});
