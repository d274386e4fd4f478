/** Shares one bus subscription per owner among the connections of this process. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Bus } from '../../platform/bus/bus.ts';
import { readEvent, eventSubject } from './service.ts';
import type { DeliveredEvent } from './service.ts';

type Listener = (owner: AccountId, event: DeliveredEvent) => void;

interface FeedSubscription {
  listeners: Set<Listener>;
  stop: Promise<() => void>;
}

export class EventFanOut {
  readonly #bus: Bus;
  readonly #subscriptions = new Map<AccountId, FeedSubscription>();

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Resolves once the subscription is active. */
  async listen(owner: AccountId, listener: Listener): Promise<void> {
    const subscription = this.#subscriptions.get(owner) ?? this.#open(owner);
    subscription.listeners.add(listener);
    await subscription.stop;
  }

  leave(owner: AccountId, listener: Listener): void {
    const subscription = this.#subscriptions.get(owner);
    subscription?.listeners.delete(listener);
    if (!subscription || subscription.listeners.size > 0) return;
    this.#subscriptions.delete(owner);
    void subscription.stop.then((stop) => stop());
  }

  #open(owner: AccountId): FeedSubscription {
    const listeners = new Set<Listener>();
    const stop = this.#bus.subscribe(eventSubject(owner), (text) => {
      const event = readEvent(text);
      for (const listener of listeners) listener(owner, event);
    });
    const subscription = { listeners, stop };
    this.#subscriptions.set(owner, subscription);
    return subscription;
  }
}
