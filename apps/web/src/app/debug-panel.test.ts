import { describe, expect, it } from 'vitest';
import { isLocalHost } from './debug-panel.tsx';

describe('the debug panel', () => {
  it.each(['localhost', '127.0.0.1', '192.168.1.20', '[::1]'])('shows on %s', (host) => {
    expect(isLocalHost(host)).toBe(true);
  });

  it.each(['dostar.example', 'localhost.example', '1.2.3.4.example', 'example.com'])('does not show on %s', (host) => {
    expect(isLocalHost(host)).toBe(false);
  });
});
