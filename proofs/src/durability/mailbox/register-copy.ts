import type { Checks } from './checks.ts';

export interface RegisterContent {
  key: string;
  rev: number;
  mark: number | null;
  value: Buffer | null;
}

/** A device's copy of the registers, from the frames that it received. */
export class RegisterCopy {
  readonly #checks: Checks;
  #known = new Map<string, RegisterContent>();

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  apply(register: RegisterContent): void {
    const known = this.#known.get(register.key);
    // After a rewind the device may receive older values; it keeps the newer ones.
    if (known && known.rev >= register.rev) return;
    if (known && known.mark !== null) {
      this.#checks.that('a mark never goes back', (register.mark ?? -1) > known.mark, () => {
        return `${register.key} was ${known.mark} and became ${register.mark}`;
      });
    }
    this.#known.set(register.key, register);
  }

  clear(): void {
    this.#known.clear();
  }

  describe(): string {
    return describeRegisters([...this.#known.values()]);
  }
}

export function describeRegisters(registers: RegisterContent[]): string {
  return registers
    .map(({ key, rev, mark, value }) => `${key}=${mark ?? value?.toString('hex') ?? ''}@${rev}`)
    .toSorted()
    .join(' ');
}
