/** Asks for permission and subscribes. Call it from a click handler: browsers allow the question only there. */
import { changeSettings } from '../lib/settings.ts';
import { useFixed } from '../lib/use-fixed.ts';

export async function enableNotifications(): Promise<NotificationPermission> {
  const answer = await Notification.requestPermission();
  changeSettings({ isNotifying: answer === 'granted', wasAskedToNotify: true });
  if (answer === 'granted') await (await import('./push.ts')).subscribePush();
  return answer;
}

export async function disableNotifications(): Promise<void> {
  changeSettings({ isNotifying: false });
  // Without a network the server learns it later from the push service, which reports that the subscription is gone.
  await (await import('./push.ts')).unsubscribePush().catch(() => undefined);
}

function readPermission(): NotificationPermission | undefined {
  return 'Notification' in window ? Notification.permission : undefined;
}

/** Undefined in browsers without notifications, and in static pages. */
export function useNotificationPermission(): NotificationPermission | undefined {
  return useFixed(readPermission, undefined);
}
