// @vitest-environment node
import { type AnalyticsCollector, startAnalyticsCollector } from '@dostar/tools/servers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import routes from '../../routes.ts';
import { createSender, nameRoute } from './analytics.ts';
import { answerAnalytics, offerAnalytics, readAnalytics } from './analytics-consent.ts';

let collector: AnalyticsCollector;
beforeAll(async () => {
  collector = await startAnalyticsCollector();
});
afterAll(() => collector[Symbol.asyncDispose]());
/** The browser's storage. Node's own `fetch` is used, because happy-dom's does not support requests without CORS. */
const remembered = new Map<string, string>();
beforeEach(() => {
  collector.hits.length = 0;
  remembered.clear();
  const localStorage = {
    getItem: (name: string) => remembered.get(name) ?? null,
    setItem: (name: string, value: string) => void remembered.set(name, value),
  };
  vi.stubGlobal('window', { localStorage });
});
afterEach(() => vi.unstubAllGlobals());

function open() {
  return createSender({ url: collector.url, origin: 'https://chat.example', random: 7, now: 1_700_000_000_123 });
}

const view = { page: '/contacts/:username', language: 'kk' };

// Must run first: a project that was offered stays offered in this module.
test('without a project nothing is sent, even if the person agreed', async () => {
  answerAnalytics(true);
  await open().send(view);
  expect(collector.hits).toEqual([]);
});

test('without an answer, and after a refusal, nothing is sent', async () => {
  offerAnalytics('G-1');
  const sender = open();
  await sender.send(view);
  answerAnalytics(false);
  await sender.send(view);
  expect(collector.hits).toEqual([]);
});

test('after consent a page view says the kind of page and the language, and the answer is kept in the browser', async () => {
  offerAnalytics('G-1');
  answerAnalytics(true);
  const sender = open();
  await sender.send(view);
  await sender.send({ ...view, page: '/settings' });
  const common = { v: '2', tid: 'G-1', cid: '7.1700000000', sid: '1700000000', gcs: 'G101', npa: '1', ul: 'kk' };
  expect(collector.hits).toEqual([
    { ...common, _s: '1', _ss: '1', dl: 'https://chat.example/contacts/:username', en: 'page_view' },
    { ...common, _s: '2', dl: 'https://chat.example/settings', en: 'page_view' },
  ]);
  expect(collector.complaints).toEqual([]);
  offerAnalytics('G-1');
  expect(readAnalytics().isAllowed).toBe(true);
});

test('withdrawing consent in another tab stops page views in this tab too', async () => {
  offerAnalytics('G-1');
  answerAnalytics(true);
  const sender = open();
  await sender.send(view);
  remembered.set('analytics', '{"isAllowed":false}');
  await sender.send(view);
  expect(collector.hits).toHaveLength(1);
});

test.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])(
  'a browser with %o sends nothing, whatever was answered',
  async (preference) => {
    offerAnalytics('G-1');
    answerAnalytics(true);
    vi.stubGlobal('navigator', preference);
    await open().send(view);
    expect(collector.hits).toEqual([]);
  },
);

test('a blocked or unreachable collector causes no error', async () => {
  offerAnalytics('G-1');
  answerAnalytics(true);
  const sender = createSender({
    url: 'http://127.0.0.1:9/g/collect',
    origin: 'https://chat.example',
    random: 1,
    now: 0,
  });
  await expect(sender.send(view)).resolves.toBeUndefined();
});

test('pages are named by the patterns of their routes', () => {
  expect(nameRoute('kz:contacts/:username')).toBe('/contacts/:username');
  expect(nameRoute('en:home')).toBe('/');
  expect(nameRoute('ru:not-found')).toBe('/not-found');
  const ids = listIds(routes);
  expect(ids).toContain('ru:contacts/:username');
  expect(new Set(ids.map(nameRoute))).toContain('/settings/privacy');
});

function listIds(entries: typeof routes): string[] {
  return entries.flatMap(({ id = '', path, index, children = [] }) => [
    ...(path !== undefined || index === true ? [id] : []),
    ...listIds(children),
  ]);
}
