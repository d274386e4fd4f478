import { expect, test } from 'vitest';
import { renderExportPage } from './render-export-page.ts';

test('user text is escaped', () => {
  const data = {
    account: { id: 'a' },
    exportedAt: '2026-11-15T09:00:00.000Z',
    contacts: [],
    chats: [
      { with: '<b>Aru</b>', messages: [{ from: 'them' as const, at: '2026-11-15T09:00:00.000Z', text: '<script>&' }] },
    ],
  };
  const page = renderExportPage(data, { t: (key: string) => key, code: 'en' });
  expect(page).toContain('&lt;script&gt;&amp;');
  expect(page).not.toContain('<script>');
  expect(page).toContain('&lt;b&gt;Aru&lt;/b&gt;');
});
