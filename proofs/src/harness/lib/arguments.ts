import { parseArgs } from 'node:util';

export interface Arguments {
  /** Less of everything, same claim. */
  isShort: boolean;
  /** Only the product as it is: no variant with a safeguard removed. CI runs `--short --intact`. */
  isIntact: boolean;
  /** Leaves one safeguard out; the claim is then that the proof notices. */
  without: string | undefined;
  seed: number;
  /** Commit or tag of the earlier version, for proofs that start with one. */
  from: string | undefined;
  /** Overrides the number of the chosen form, in proofs that support it. */
  accounts: number | undefined;
  messages: number | undefined;
  inputs: number | undefined;
}

/**
 * Parses `--short`, `--intact`, `--without NAME`, `--seed N`, `--accounts N`, `--messages N`, `--inputs N` and `--from
 * COMMIT`. Ends the program if `NAME` is not one of `variants`.
 */
export function readArguments(variants: readonly string[] = []): Arguments {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean' },
      intact: { type: 'boolean' },
      without: { type: 'string' },
      seed: { type: 'string' },
      from: { type: 'string' },
      accounts: { type: 'string' },
      messages: { type: 'string' },
      inputs: { type: 'string' },
    },
  });
  const { without } = values;
  if (without !== undefined && !variants.includes(without)) {
    console.error(`--without knows: ${variants.join(', ') || 'nothing here'}`);
    process.exit(2);
  }
  return {
    isShort: values.short ?? false,
    isIntact: values.intact ?? false,
    without,
    from: values.from,
    seed: toNumber(values.seed) ?? Math.floor(Math.random() * 0x7fffffff),
    accounts: toNumber(values.accounts),
    messages: toNumber(values.messages),
    inputs: toNumber(values.inputs),
  };
}

function toNumber(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
