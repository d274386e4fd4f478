/** A stand-in for Google Analytics: accepts page views (version 2 of the collection protocol) with empty responses. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The allowed parameters of a hit. Any other one is a complaint, since it may reveal more than the user agreed to. */
const MEMBERS: Record<string, RegExp> = {
  v: /^2$/,
  tid: /^G-\w+$/,
  cid: /^\d+\.\d+$/,
  sid: /^\d+$/,
  _s: /^\d+$/,
  _ss: /^1$/,
  gcs: /^G101$/,
  npa: /^1$/,
  ul: /^(?:en|kk|ru)$/,
  dl: /^https?:\/\/[^/?#]+\/[\w/:*-]*$/,
  en: /^page_view$/,
};
const OPTIONAL = new Set(['_ss']);

export interface AnalyticsCollector extends AsyncDisposable {
  url: string;
  hits: Record<string, string>[];
  /** What is wrong with hits, or reveals more about the user than a hit may. */
  complaints: string[];
}

export async function startAnalyticsCollector(): Promise<AnalyticsCollector> {
  const hits: Record<string, string>[] = [];
  const complaints: string[] = [];
  const server = createServer(({ method, url = '', headers }, answer) => {
    const { pathname, searchParams } = new URL(url, 'http://collector');
    const hit = Object.fromEntries(searchParams);
    if (method !== 'POST' || pathname !== '/g/collect') complaints.push(`${method} ${pathname}`);
    for (const [name, form] of Object.entries(MEMBERS)) {
      const value = hit[name];
      if (value === undefined ? !OPTIONAL.has(name) : !form.test(value)) complaints.push(`${name}=${value}`);
    }
    complaints.push(...Object.keys(hit).filter((name) => !(name in MEMBERS)));
    complaints.push(...['cookie', 'referer'].filter((name) => name in headers));
    hits.push(hit);
    answer.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/g/collect`,
    hits,
    complaints,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
