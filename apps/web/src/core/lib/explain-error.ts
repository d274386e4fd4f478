import type { ErrorCode } from '@dostar/protocol/errors';
import { codeOf } from './failure.ts';
import { showFeedback } from './feedback.ts';

/** A text is shown as feedback; a function shows the problem elsewhere, beside a field for instance. */
type Explanation = string | (() => void);

export type Explanations = { [Code in ErrorCode]?: Explanation } & { other: Explanation };

/**
 * Tells the person why a call failed: by its error code, or as `other`. Says nothing if they closed the dialog that asks
 * for their password.
 */
export function explainError(error: unknown, explanations: Explanations): void {
  const code = codeOf(error);
  if (code === 'reauthenticate') return;
  const explanation = (code && explanations[code]) ?? explanations.other;
  if (typeof explanation === 'string') showFeedback('error', explanation);
  else explanation();
}
