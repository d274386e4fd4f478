/** Secrets that only their owner may see, and where they turned up. */

export type EvidenceSource = 'database' | 'nats' | 'log' | 'url' | 'blobs' | 'push';
export const EVIDENCE_SOURCES: EvidenceSource[] = ['database', 'nats', 'log', 'url'];

interface Secret {
  kind: string;
  /** As it might have been written down. */
  forms: RegExp[];
  /** Where it stands by design. */
  allowed: readonly EvidenceSource[];
}

export interface Leak {
  kind: string;
  place: EvidenceSource;
  /** Enough to find the line again; the secret itself is not repeated. */
  around: string;
}

const MIN_BYTES = 6;
const MIN_MATCH_LENGTH = 8;
const SHOWN = 60;

export class PlantedSecrets {
  readonly #secrets = new Map<string, Secret>();

  /** Remembers a secret in all the ways it could be written: as it is, hex, base64 and base64url, alone or inside. */
  plant(kind: string, value: string | Uint8Array, allowed: readonly EvidenceSource[] = []): void {
    const bytes = Buffer.from(value as string);
    if (bytes.length < MIN_BYTES) throw new Error(`${kind} is too short to be looked for`);
    const written = [bytes.toString('hex'), ...encodeInside(bytes)];
    // Six digits stand inside many a longer number.
    const isNumber = typeof value === 'string' && /^\d+$/.test(value);
    // Bytes stand in binary evidence as they are.
    const raw = typeof value === 'string' ? value : bytes.toString('latin1');
    const plain = [isNumber ? `(?<!\\d)${raw}(?!\\d)` : escape(raw)];
    const forms = [...written.map((text) => new RegExp(escape(text))), ...plain.map((text) => new RegExp(text))];
    this.#secrets.set(`${kind} ${bytes.toString('hex')}`, { kind, forms, allowed });
  }

  get size(): number {
    return this.#secrets.size;
  }

  countKinds(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { kind } of this.#secrets.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }

  /** Every secret that stands in the text and should not. */
  search(place: EvidenceSource, text: string): Leak[] {
    return [...this.#secrets.values()]
      .filter(({ allowed }) => !allowed.includes(place))
      .flatMap(({ kind, forms }) => {
        const found = forms.map((form) => form.exec(text)).find((match) => match !== null);
        if (!found) return [];
        const before = text.slice(Math.max(0, found.index - SHOWN), found.index);
        const after = text.slice(found.index + found[0].length, found.index + found[0].length + SHOWN);
        return [{ kind, place, around: `${before}⟨${kind}⟩${after}`.replaceAll('\n', ' ') }];
      });
  }
}

/** Base64 shifts with what stands before: the part that stays the same, for each of the three shifts. */
function encodeInside(bytes: Buffer): string[] {
  const written = [0, 1, 2].flatMap((shift) => {
    const skipped = shift === 0 ? 0 : shift + 1;
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = shifted.subarray(0, shifted.length - (shifted.length % 3));
    return [whole.toString('base64').slice(skipped), whole.toString('base64url').slice(skipped)];
  });
  // Fewer characters stand in a large enough heap by chance.
  return written.filter((text) => text.length >= MIN_MATCH_LENGTH);
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
