import { setTimeout as sleep } from 'node:timers/promises';
import { PausableBus } from './pausable-bus.ts';

/** How many milliseconds a ring takes; null: it is lost. */
export type Fate = number | null;

/** A bus whose rings are late, overtake each other or get lost, as its list of fates has it. */
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
