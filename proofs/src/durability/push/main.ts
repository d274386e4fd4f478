/** Runs the push service in its own process, so that its checks take no processor time from the sender. */
import process from 'node:process';
import { startPushService } from '../../../../apps/server/test/push-service.ts';
import type { Browser } from '../../../../apps/server/test/push-service.ts';
import type { ServiceCommand, ShownPush } from './service.ts';

const service = await startPushService(() => process.env['PUSH_PUBLIC_KEY'] ?? '');
const browsers = new Map<string, Browser>();
let release = (): void => {};

const answers: { [Name in ServiceCommand['do']]: (ask: Extract<ServiceCommand, { do: Name }>) => unknown } = {
  open: () => ({ origin: service.origin, certificate: service.certificate }),
  add: ({ count }) =>
    Array.from({ length: count }, () => {
      const browser = service.addBrowser();
      browsers.set(browser.subscription.endpoint, browser);
      return browser.subscription;
    }),
  answer({ endpoint, answers: next }) {
    browsers.get(endpoint)!.answers = next;
  },
  hold({ isHeld }) {
    release();
    const { promise, resolve } = Promise.withResolvers<void>();
    service.held = isHeld ? promise : undefined;
    release = resolve;
  },
  read: () =>
    service.requests.map(({ path, at, status, body, headers }) => {
      const endpoint = service.origin + path;
      const text = status === 201 ? browsers.get(endpoint)?.open(body) : undefined;
      return { endpoint, at, status, bytes: body.length, topic: headers['topic'], text } satisfies ShownPush;
    }),
  raw: () => service.requests.map(({ path, headers, body }) => ({ path, headers, body: body.toString('base64') })),
  times: () => service.requests.map(({ at }) => at),
  forget() {
    service.requests.length = 0;
  },
  complaints: () => service.complaints,
};

process.on('message', (asked: ServiceCommand & { id: number }) => {
  const answer = answers[asked.do] as (ask: ServiceCommand) => unknown;
  process.send?.({ id: asked.id, answer: answer(asked) });
});
process.on('disconnect', () => process.exit(0));
