import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { parseJumpTarget, type JumpTarget } from '../../core/messenger/jump-target.ts';

/** Jumps to the message of a search result. The router state carries the id, so it is not part of the address. */
export function useJumpTarget(onJump: (jump: JumpTarget) => void): void {
  const { state, key } = useLocation();
  useEffect(() => {
    const jump = parseJumpTarget(state);
    if (jump) onJump(jump);
    // Depends only on the history entry: each navigation jumps once, later renders do not.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
}
