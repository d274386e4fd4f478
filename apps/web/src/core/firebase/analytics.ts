/**
 * Page views for Google Analytics, in the form in which Google's own script sends them (version 2 of its collection
 * protocol). They are written here because that script would run in the page that holds the keys.
 *
 * A hit holds the kind of page and the language. There is no cookie, no account, no title, no referrer, and no id that
 * outlives the page.
 */
import { isTrackingRefused, readAnalytics } from './analytics-consent.ts';

export const COLLECT_URL = 'https://www.google-analytics.com/g/collect';

interface PageView {
  /** A pattern such as `/contacts/:username`, never an address. */
  page: string;
  language: string;
}

interface Sender {
  send(view: PageView): Promise<void>;
}

interface SenderDeps {
  url: string;
  origin: string;
  /** Numbers this load of the page. */
  random: number;
  now: number;
}

export function createSender({ url, origin, random, now }: SenderDeps): Sender {
  const startedAt = Math.floor(now / 1000);
  let hits = 0;
  return {
    async send({ page, language }) {
      const { measurementId, isAllowed } = readAnalytics();
      if (measurementId === undefined || isAllowed !== true || isTrackingRefused()) return;
      hits += 1;
      const hit = new URLSearchParams({
        v: '2',
        tid: measurementId,
        cid: `${random}.${startedAt}`,
        sid: String(startedAt),
        _s: String(hits),
        ...(hits === 1 && { _ss: '1' }),
        // Statistics are agreed to, advertising is not.
        gcs: 'G101',
        npa: '1',
        ul: language,
        dl: `${origin}${page}`,
        en: 'page_view',
      });
      await fetch(`${url}?${hit}`, {
        method: 'POST',
        mode: 'no-cors',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        keepalive: true,
      }).catch(() => {
        // Offline, or a content blocker: a lost page view is not worth a retry.
      });
    },
  };
}

/** `kz:contacts/:username` is `/contacts/:username`: the ids of the routes are their patterns (routes.ts). */
export function nameRoute(id: string): string {
  const pattern = id.slice(id.indexOf(':') + 1);
  return pattern === 'home' ? '/' : `/${pattern}`;
}
