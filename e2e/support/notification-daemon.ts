/** A desktop notification service: Chromium sends notifications to it over D-Bus and gets the clicks from it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Message, sessionBus } from '@jellybrick/dbus-next';

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';

interface DesktopNotification {
  id: number;
  title: string;
  body: string;
  /** Action names by button label. */
  buttons: Map<string, string>;
}

export interface NotificationDaemon extends AsyncDisposable {
  /** D-Bus address for the browser's environment. */
  address: string;
  /** Visible ones, oldest first. */
  notifications(): DesktopNotification[];
  /** Clicks the notification, or its button with this label. */
  press(notification: DesktopNotification, button?: string): void;
  /** Sends a reply typed into the notification. */
  reply(notification: DesktopNotification, text: string): void;
  /** Closes all notifications, as their close button does. */
  dismissAll(): void;
}

/** Uses a private D-Bus, so that no real desktop shows the notifications. */
export async function startNotificationDaemon(): Promise<NotificationDaemon> {
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    // Its warnings, such as about missing permissions, do not matter here.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const address = await readLine(daemon.stdout);
  const bus = sessionBus({ busAddress: address });
  const shown = new Map<number, DesktopNotification>();
  let last = 0;

  bus.addMethodHandler((call) => {
    if (call.interface !== NAME) return false;
    const { signature, body } = answer(call);
    bus.send(Message.newMethodReturn(call, signature, body));
    return true;
  });
  await bus.requestName(NAME);

  function answer({ member, body }: Message): { signature: string; body: unknown[] } {
    switch (member) {
      case 'GetCapabilities':
        return { signature: 'as', body: [['actions', 'body', 'inline-reply', 'persistence']] };
      case 'GetServerInformation':
        return { signature: 'ssss', body: ['desktop', 'dostar', '1', '1.2'] };
      case 'Notify':
        return { signature: 'u', body: [keep(body as NotifyBody)] };
      case 'CloseNotification': {
        const [id] = body as [number];
        if (shown.delete(id)) tell('NotificationClosed', 'uu', [id, CLOSED_BY_CALL]);
        return { signature: '', body: [] };
      }
      default:
        throw new Error(`no desktop knows ${member}`);
    }
  }

  function keep([, replaced, , title, body, actions]: NotifyBody): number {
    const id = replaced === 0 ? ++last : replaced;
    const pairs = actions.flatMap((name, at) => (at % 2 === 0 ? [[actions[at + 1] ?? '', name] as const] : []));
    shown.set(id, { id, title, body, buttons: new Map(pairs) });
    return id;
  }

  function tell(signal: string, signature: string, body: unknown[]): void {
    bus.send(Message.newSignal(PATH, NAME, signal, signature, body));
  }

  return {
    address,
    notifications: () => [...shown.values()],
    press({ id, buttons }, button) {
      const name = button === undefined ? 'default' : buttons.get(button);
      if (name === undefined) throw new Error(`no button says ${button}: ${[...buttons.keys()].join(', ')}`);
      tell('ActionInvoked', 'us', [id, name]);
    },
    reply: ({ id }, text) => tell('NotificationReplied', 'us', [id, text]),
    dismissAll() {
      for (const id of shown.keys()) tell('NotificationClosed', 'uu', [id, DISMISSED]);
      shown.clear();
    },
    async [Symbol.asyncDispose]() {
      bus.disconnect();
      daemon.kill();
    },
  };
}

/** Program name, replaced id, icon, title, body, and names and labels of the buttons. */
type NotifyBody = [string, number, string, string, string, string[]];

const DISMISSED = 2;
const CLOSED_BY_CALL = 3;

async function readLine(input: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input })) return line;
  throw new Error('the bus said nothing');
}
