import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { parseJumpTarget, type JumpTarget } from '../../core/messenger/jump-target.ts';

/** A search result leads to its message. The id travels beside the address, not in it. */
export function useJumpTarget(onJump: (jump: JumpTarget) => void): void {
  const { state, key } = useLocation();
  useEffect(() => {
    const jump = parseJumpTarget(state);
    if (jump) onJump(jump);
    // Each arrival leads there once, whatever is drawn since.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
}
