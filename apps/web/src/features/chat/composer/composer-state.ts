/** Mode of the message field. Each mode except `idle` has its own bar or panel. */
import type { Target } from '@dostar/protocol/content/kinds';

export type ComposerState =
  | { kind: 'idle' }
  | { kind: 'replying'; to: Target; name: string; preview: string }
  /** `draft` is the text from before the edit, restored when the edit ends. */
  | { kind: 'editing'; target: Target; preview: string; draft: string }
  | { kind: 'recording' };

export const idle: ComposerState = { kind: 'idle' };
