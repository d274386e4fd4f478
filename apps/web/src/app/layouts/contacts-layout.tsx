import { Outlet, useParams } from 'react-router';
import { paths } from '../../core/lib/paths.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useIsCurrent } from '../../core/i18n/use-locale.ts';
import { ListPanel } from '../../features/chats/list-panel.tsx';
import { MessengerShell } from '../messenger-shell.tsx';

await requestTexts('chats');
await requestTexts('said');

/** The chat list and the chat: side by side on wide screens, one at a time on a phone. */
export default function ContactsLayout() {
  const { username } = useParams();
  const isFinding = useIsCurrent()(paths.searchContacts);
  return (
    <MessengerShell list={<ListPanel />} isChatOpen={username !== undefined || isFinding}>
      <Outlet />
    </MessengerShell>
  );
}
