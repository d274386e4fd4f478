/** A browser test is in the gate unless its details put it into another tier and say why. */
interface Details {
  tag: string;
  annotation: { type: 'why'; description: string };
}

/** Runs in `./dev nightly` only. */
export function nightly(why: string): Details {
  return { tag: '@nightly', annotation: { type: 'why', description: why } };
}

/** Runs in `./dev nightly` only, with nothing else on the machine. */
export function measured(why: string): Details {
  return { tag: '@measured', annotation: { type: 'why', description: why } };
}

/** English is in the gate, the other languages are nightly. */
export function inEveryLanguage(code: string): Partial<Details> {
  return code === 'en' ? {} : nightly('The same page in another language.');
}
