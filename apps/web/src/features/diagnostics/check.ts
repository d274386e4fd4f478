// Diagnostics that a user or a support agent can run. The results do not depend on the language.
import type checks from '../../locales/en/checks.json';

/** `off`: the operator has not configured the feature that the check needs. */
type CheckState = 'waiting' | 'running' | 'pass' | 'fail' | 'off' | 'signIn' | 'ask';

export interface Outcome {
  state: CheckState;
  /** Technical details for the report, in English in every language. */
  detail?: string;
  /** Duration, also shown on the page. */
  durationMs?: number;
}

export interface CheckContext {
  /** Expected language tag of the page. */
  tag: string;
  isSignedIn: boolean;
  /** Text of the test notification. */
  sample: string;
}

export interface Check {
  id: keyof typeof checks.items;
  run: (place: CheckContext) => Outcome | Promise<Outcome>;
  /** Runs after `run` returned `ask`: browsers show some permission prompts only after a button press. */
  press?: (place: CheckContext) => Promise<Outcome>;
}

export function passIf(condition: boolean, detail?: string): Outcome {
  return { state: condition ? 'pass' : 'fail', ...(detail !== undefined && { detail }) };
}

export function passWithin(limit: number, durationMs: number): Outcome {
  return { state: durationMs < limit ? 'pass' : 'fail', durationMs: Math.round(durationMs) };
}

export const timeoutMs = 10_000;

/** Runs a check with a timeout. An exception or a timeout counts as a failure. */
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
