import { productName } from '../../product.ts';
import type { Check, Outcome } from './check.ts';
import { passIf } from './check.ts';

function describeWindow(): string {
  return window.matchMedia('(display-mode: standalone)').matches ? 'installed' : 'in a tab';
}

function readPermission(): Outcome {
  const { permission } = Notification;
  if (permission === 'granted') return { state: 'pass', detail: permission };
  return { state: permission === 'default' ? 'ask' : 'fail', detail: permission };
}

export const notificationChecks: readonly Check[] = [
  { id: 'notices', run: () => passIf('Notification' in window, describeWindow()) },
  {
    id: 'permission',
    run: () => readPermission(),
    async press({ sample }) {
      await Notification.requestPermission();
      const answer = readPermission();
      if (answer.state !== 'pass') return answer;
      const notice = new Notification(productName, { body: sample, tag: 'dostar-check' });
      setTimeout(() => notice.close(), 5000);
      return answer;
    },
  },
  { id: 'push', run: () => passIf('PushManager' in window && 'serviceWorker' in navigator) },
  { id: 'background' },
  { id: 'delivery' },
];
