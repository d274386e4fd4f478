/** Secrets that only their owner may see, and the places where they were found. */

export type EvidenceSource = 'database' | 'nats' | 'log' | 'url' | 'blobs' | 'push';
export const EVIDENCE_SOURCES: EvidenceSource[] = ['database', 'nats', 'log', 'url'];

interface Secret {
  kind: string;
  /** The encodings in which it might be stored. */
  forms: RegExp[];
  /** Places that store it by design. */
  allowed: readonly EvidenceSource[];
}

export interface Leak {
  kind: string;
  place: EvidenceSource;
  /** The surrounding text, to find the line again; the secret itself is masked. */
  around: string;
}

const MIN_BYTES = 6;
const MIN_MATCH_LENGTH = 8;
const SHOWN = 60;

export class PlantedSecrets {
  readonly #secrets = new Map<string, Secret>();

  /** Registers a secret in all its encodings: plain, hex, base64 and base64url, alone or inside other data. */
  plant(kind: string, value: string | Uint8Array, allowed: readonly EvidenceSource[] = []): void {
    const bytes = Buffer.from(value as string);
    if (bytes.length < MIN_BYTES) throw new Error(`${kind} is too short to be looked for`);
    const written = [bytes.toString('hex'), ...encodeInside(bytes)];
    // A longer number may contain six digits by chance.
    const isNumber = typeof value === 'string' && /^\d+$/.test(value);
    // Binary evidence contains raw bytes.
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

  /** Returns every secret in the text that this place may not contain. */
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

/** Base64 depends on the preceding bytes: this returns the stable part for each of the three alignments. */
function encodeInside(bytes: Buffer): string[] {
  const written = [0, 1, 2].flatMap((shift) => {
    const skipped = shift === 0 ? 0 : shift + 1;
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = shifted.subarray(0, shifted.length - (shifted.length % 3));
    return [whole.toString('base64').slice(skipped), whole.toString('base64url').slice(skipped)];
  });
  // Shorter strings occur in a large text by chance.
  return written.filter((text) => text.length >= MIN_MATCH_LENGTH);
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
