/**
 * Page views for Google Analytics, in the format of Google's own script (version 2 of its collection protocol). That
 * script is not used, because it would run in the page that has the keys.
 *
 * A hit contains the kind of page and the language. There is no cookie, no account, no title, no referrer, and no id
 * that outlives the page.
 */
import { isTrackingRefused, readAnalytics } from './analytics-consent.ts';

export const COLLECT_URL = 'https://www.google-analytics.com/g/collect';

interface PageView {
  /** A route pattern such as `/contacts/:username`, never a real path. */
  page: string;
  language: string;
}

interface Sender {
  send(view: PageView): Promise<void>;
}

interface SenderDeps {
  url: string;
  origin: string;
  /** A random number that identifies this page load. */
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
        // The person has agreed to statistics, not to advertising.
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
        // Offline, or blocked: a lost page view is not worth a retry.
      });
    },
  };
}

/** `/contacts/:username` for the route id `kz:contacts/:username`: route ids contain their patterns (routes.ts). */
export function nameRoute(id: string): string {
  const pattern = id.slice(id.indexOf(':') + 1);
  return pattern === 'home' ? '/' : `/${pattern}`;
}
