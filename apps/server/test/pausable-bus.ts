import type { Bus } from '../src/platform/bus/bus.ts';

/** A bus that can be paused: messages published meanwhile are lost. */
export class PausableBus implements Bus {
  isSendPaused = false;
  /** Until it resolves, new subscriptions do not reach the bus. */
  isReceivePaused: Promise<void> | undefined;
  /** Subjects of the active subscriptions. */
  subjects: string[] = [];
  #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  get isUp(): boolean {
    return this.#bus.isUp;
  }

  publish(subject: string, payload: string): void {
    if (!this.isSendPaused) this.#bus.publish(subject, payload);
  }

  async subscribe(subject: string, listener: (payload: string, subject: string) => void): Promise<() => void> {
    await this.isReceivePaused;
    const stop = await this.#bus.subscribe(subject, listener);
    this.subjects.push(subject);
    return () => {
      this.subjects.splice(this.subjects.indexOf(subject), 1);
      stop();
    };
  }

  onReconnect(listener: () => void): () => void {
    return this.#bus.onReconnect(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bus[Symbol.asyncDispose]();
  }
}
