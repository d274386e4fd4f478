/** A browser test belongs to the gate unless it says otherwise, and why. */
interface Details {
  tag: string;
  annotation: { type: 'why'; description: string };
}

/** Runs in `./dev nightly` only. */
export function nightly(why: string): Details {
  return { tag: '@nightly', annotation: { type: 'why', description: why } };
}

/** Runs in `./dev nightly` only, with the machine to itself. */
export function measured(why: string): Details {
  return { tag: '@measured', annotation: { type: 'why', description: why } };
}

/** English in the gate, the other languages nightly. */
export function inEveryLanguage(code: string): Partial<Details> {
  return code === 'en' ? {} : nightly('The same page in another language.');
}
