import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { parseJump, type Jump } from '../../core/messenger/jump-target.ts';

/** Whoever comes from a search result comes to the message. It travels beside the address, not in it. */
export function useWantedMessage(onJump: (jump: Jump) => void): void {
  const { state, key } = useLocation();
  useEffect(() => {
    const jump = parseJump(state);
    if (jump) onJump(jump);
    // Each arrival leads there once, whatever is drawn since.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key]);
}
