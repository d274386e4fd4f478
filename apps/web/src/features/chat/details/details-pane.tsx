import type { Client } from '@dostar/client';
import type { AccountId, ChatId } from '@dostar/protocol/ids';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import type { People } from '../../../core/messenger/people.ts';
import { DetailsActions } from './details-actions.tsx';
import { DetailsDialogs, type DetailsDialog } from './details-dialogs.tsx';
import { DetailsPerson } from './details-person.tsx';
import { DetailsSettings } from './details-settings.tsx';
import { DetailsTrust } from './details-trust.tsx';
import { SidePane } from './side-pane.tsx';
import type { SidePaneView } from './use-side-pane.ts';

const DetailsProfile = lazy(async () => ({ default: (await import('./details-profile.tsx')).DetailsProfile }));

interface DetailsPaneProps {
  client: Client;
  chat: ChatId;
  peer: AccountId;
  username: string;
  people: People;
  onShow: (side: SidePaneView) => void;
  onClose: () => void;
}

/** Details of a contact and of the chat with them. */
export function DetailsPane({ client, chat, peer, username, people, onShow, onClose }: DetailsPaneProps) {
  const { t } = useTranslation('contacts');
  const [dialog, setDialog] = useState<DetailsDialog>();
  const contact = people.find(peer);
  const name = people.nameOf(peer) ?? username;
  return (
    <SidePane title={t('details.title')} onClose={onClose}>
      <DetailsPerson
        client={client}
        chat={chat}
        peer={peer}
        name={name}
        photo={contact?.picture}
        username={contact?.username ?? username}
        isAssistant={contact?.isAssistant === true}
      />
      <Suspense>
        <DetailsProfile client={client} peer={peer} />
      </Suspense>
      <DetailsSettings client={client} chat={chat} contact={contact} onDialog={setDialog} onShow={onShow} />
      <DetailsTrust client={client} peer={peer} name={name} contact={contact} />
      <DetailsActions client={client} peer={peer} name={name} contact={contact} onDialog={setDialog} />
      <DetailsDialogs
        client={client}
        chat={chat}
        peer={peer}
        name={name}
        contact={contact}
        dialog={dialog}
        onClose={() => setDialog(undefined)}
      />
    </SidePane>
  );
}
