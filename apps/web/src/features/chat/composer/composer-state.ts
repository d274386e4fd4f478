/** What the message field is doing. It starts idle; each other state has a bar or a panel of its own. */
import type { Target } from '@dostar/protocol/content/kinds';

export type ComposerState =
  | { kind: 'idle' }
  | { kind: 'replying'; to: Target; name: string; preview: string }
  /** The draft waits until the edit is over: an edit never overwrites it. */
  | { kind: 'editing'; target: Target; preview: string; draft: string }
  | { kind: 'recording' };

export const idle: ComposerState = { kind: 'idle' };
