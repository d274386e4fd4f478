import { parseArgs } from 'node:util';

export interface Arguments {
  /** The form for continuous integration: less of everything, same claim. */
  isShort: boolean;
  /** Leave one thing out on purpose; the claim is then that the proof notices. */
  without: string | undefined;
  seed: number;
}

/** `--short`, `--without NAME`, `--seed N`. Ends the program when it does not know `NAME`. */
export function readArguments(variants: readonly string[] = []): Arguments {
  const { values } = parseArgs({
    options: { short: { type: 'boolean' }, without: { type: 'string' }, seed: { type: 'string' } },
  });
  const { without } = values;
  if (without !== undefined && !variants.includes(without)) {
    console.error(`--without knows: ${variants.join(', ') || 'nothing here'}`);
    process.exit(2);
  }
  const seed = values.seed === undefined ? Math.floor(Math.random() * 0x7fffffff) : Number(values.seed);
  return { isShort: values.short ?? false, without, seed };
}
