import type { Client } from '@dostar/client';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import { type ReactNode, Suspense } from 'react';
import type { People } from '../../../core/messenger/people.ts';
import { cx } from '../../../ui/cx.ts';
import { lazyComponent } from '../../../ui/lazy-component.ts';
import { useSidePane } from './use-side-pane.ts';

const DetailsPane = lazyComponent(async () => (await import('./details-pane.tsx')).DetailsPane);
const StarredPane = lazyComponent(async () => (await import('./starred-pane.tsx')).StarredPane);

interface ChatWithSidePaneProps {
  client: Client;
  me: AccountId;
  peer: AccountId;
  username: string;
  people: People;
  children: ReactNode;
}

/** The chat with the pane that the address names: beside it, over it on narrow screens, instead of it on a phone. */
export function ChatWithSidePane({ client, me, peer, username, people, children }: ChatWithSidePaneProps) {
  const { side, show, close } = useSidePane();
  const shared = { client, me, peer, chat: directChat(me, peer), username, people, onClose: close };
  return (
    <div className="relative flex min-h-0 min-w-0 grow">
      {/* Hidden, not unmounted, so the timeline keeps its scroll position. */}
      <div className={cx('flex min-h-0 min-w-0 grow flex-col', side !== undefined && 'max-md:invisible')}>
        {children}
      </div>
      <Suspense>
        {side === 'details' && <DetailsPane {...shared} onShow={show} />}
        {side === 'starred' && <StarredPane {...shared} />}
      </Suspense>
    </div>
  );
}
