import type { ErrorCode } from '@dostar/protocol/errors';
import { codeOf } from './failure.ts';
import { showFeedback } from './feedback.ts';

/** A string is shown as feedback; a function shows the problem elsewhere, such as beside a field. */
type Explanation = string | (() => void);

export type Explanations = { [Code in ErrorCode]?: Explanation } & { other: Explanation };

/**
 * Shows the person why a call failed: by its error code, or as `other`. Shows nothing if they closed the
 * re-authentication dialog.
 */
export function explainError(error: unknown, explanations: Explanations): void {
  const code = codeOf(error);
  if (code === 'reauthenticate') return;
  const explanation = (code && explanations[code]) ?? explanations.other;
  if (typeof explanation === 'string') showFeedback('error', explanation);
  else explanation();
}
