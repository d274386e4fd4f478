import { setTimeout as sleep } from 'node:timers/promises';
import { PausableBus } from './pausable-bus.ts';

/** Delay of a hint in milliseconds; null loses it. */
export type Fate = number | null;

/** A bus whose hints are late, out of order or lost, as given by a list. */
export class UnreliableBus extends PausableBus {
  fates: Fate[] = [];
  #rung = 0;

  override publish(subject: string, payload: string): void {
    const fate = this.fates[this.#rung % this.fates.length];
    this.#rung += 1;
    if (fate === null) return;
    if (!fate) super.publish(subject, payload);
    else void sleep(fate).then(() => super.publish(subject, payload));
  }
}
