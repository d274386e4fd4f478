/** One subscription of the bus for all connections of this process that want it. */
import type { AccountId } from '@dostar/protocol/ids';
import type { Bus } from '../../platform/bus/bus.ts';
import { readHeard, subjectOf } from './service.ts';
import type { Heard } from './service.ts';

type Listener = (owner: AccountId, heard: Heard) => void;

interface Ear {
  listeners: Set<Listener>;
  stop: Promise<() => void>;
}

export class EventHub {
  readonly #bus: Bus;
  readonly #ears = new Map<AccountId, Ear>();

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Resolves once what happens from now on is heard. */
  async listen(owner: AccountId, listener: Listener): Promise<void> {
    const ear = this.#ears.get(owner) ?? this.#open(owner);
    ear.listeners.add(listener);
    await ear.stop;
  }

  leave(owner: AccountId, listener: Listener): void {
    const ear = this.#ears.get(owner);
    ear?.listeners.delete(listener);
    if (!ear || ear.listeners.size > 0) return;
    this.#ears.delete(owner);
    void ear.stop.then((stop) => stop());
  }

  #open(owner: AccountId): Ear {
    const listeners = new Set<Listener>();
    const stop = this.#bus.subscribe(subjectOf(owner), (text) => {
      const heard = readHeard(text);
      for (const listener of listeners) listener(owner, heard);
    });
    const ear = { listeners, stop };
    this.#ears.set(owner, ear);
    return ear;
  }
}
