import type { Checks } from './checks.ts';

export interface RegisterContent {
  key: string;
  rev: number;
  mark: number | null;
  value: Buffer | null;
}

/** The registers as a device has them after everything it was told. */
export class RegisterCopy {
  readonly #checks: Checks;
  #known = new Map<string, RegisterContent>();

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  apply(register: RegisterContent): void {
    const known = this.#known.get(register.key);
    // A device may be told something older again after a rewind; it keeps what it has.
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
