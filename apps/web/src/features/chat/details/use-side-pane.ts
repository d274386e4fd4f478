/** The open side pane is part of the address: Back closes it, and a reload keeps it. */
import { useLocation, useNavigate } from 'react-router';
import { z } from 'zod';

const SidePaneView = z.enum(['details', 'starred']);
export type SidePaneView = z.infer<typeof SidePaneView>;

const PARAMETER = 'open';
const Opened = z.object({ isOpenedHere: z.literal(true) });

interface SidePaneState {
  side: SidePaneView | undefined;
  show: (side: SidePaneView) => void;
  close: () => void;
}

export function useSidePane(): SidePaneState {
  const { search, state } = useLocation();
  const navigate = useNavigate();
  const side = SidePaneView.safeParse(new URLSearchParams(search).get(PARAMETER)).data;
  return {
    side,
    show(next) {
      if (next !== side) void navigate({ search: `?${PARAMETER}=${next}` }, { state: { isOpenedHere: true } });
    },
    close() {
      // Opened directly by its address: there is no earlier page of this app to go back to.
      if (Opened.safeParse(state).success) void navigate(-1);
      else if (side === 'details') void navigate({ search: '' }, { replace: true });
      else void navigate({ search: `?${PARAMETER}=details` }, { replace: true });
    },
  };
}
