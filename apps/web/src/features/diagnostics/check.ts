// A self-check: something a person or a supporter can run, with an answer that does not depend on the language.
import type checks from '../../locales/en/checks.json';

/** `off`: the operator has not set up what it would try. */
type CheckState = 'waiting' | 'running' | 'pass' | 'fail' | 'off' | 'signIn' | 'ask';

export interface Outcome {
  state: CheckState;
  /** For the report only: technical words, the same in every language. */
  detail?: string;
  /** How long it took, shown on the page too. */
  durationMs?: number;
}

export interface CheckContext {
  /** The language the page should be in. */
  tag: string;
  isSignedIn: boolean;
  /** Shown by a notification that the person asked for. */
  sample: string;
}

export interface Check {
  id: keyof typeof checks.items;
  run: (place: CheckContext) => Outcome | Promise<Outcome>;
  /** Offered when `run` answered `ask`: browsers show some questions only after a press. */
  press?: (place: CheckContext) => Promise<Outcome>;
}

export function passIf(condition: boolean, detail?: string): Outcome {
  return { state: condition ? 'pass' : 'fail', ...(detail !== undefined && { detail }) };
}

export function passWithin(limit: number, durationMs: number): Outcome {
  return { state: durationMs < limit ? 'pass' : 'fail', durationMs: Math.round(durationMs) };
}

export const timeoutMs = 10_000;

/** A check that throws or hangs has failed; the page never waits without end. */
export async function settle(work: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'fail', detail: 'no answer' }), timeoutMs);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    return { state: 'fail', detail: error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error' };
  } finally {
    clearTimeout(timer);
  }
}
