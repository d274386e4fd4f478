import type { Client, Contact, Identity } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { type MouseEvent, Suspense, useRef } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { openReportDialog } from '../../core/messenger/report-target.ts';
import { showFeedback } from '../../core/lib/feedback.ts';
import { useSettings } from '../../core/lib/settings.ts';
import { Composer } from './composer/composer.tsx';
import { lazyComponent } from '../../ui/lazy-component.ts';
import type { VoiceNote } from './media/record-voice.ts';
import type { useComposer } from './use-composer.ts';
import { useRecording } from './use-recording.ts';

// Rarely shown, so these components are loaded while the browser is idle.
const IdentityCard = lazyComponent(async () => (await import('./bars/identity-card.tsx')).IdentityCard);
const BlockedCard = lazyComponent(async () => (await import('./bars/blocked-card.tsx')).BlockedCard);
const PendingCard = lazyComponent(async () => (await import('./bars/pending-card.tsx')).PendingCard);
const RequestCard = lazyComponent(async () => (await import('./bars/request-card.tsx')).RequestCard);
const VoiceBar = lazyComponent(async () => (await import('./composer/voice-bar.tsx')).VoiceBar);

const DOUBLE_PRESS_MS = 500;

interface ChatBottomProps {
  client: Client;
  peer: AccountId;
  name: string;
  contact: Contact | undefined;
  identity: Identity | undefined;
  composer: ReturnType<typeof useComposer>;
  onSend: () => void;
  onEditLast: () => void;
  onFiles: (files: File[]) => void;
  onVoice: (note: VoiceNote) => void;
}

/** The composer, or the card with the decision that must come before writing. */
export function ChatBottom(props: ChatBottomProps) {
  const { client, peer, name, contact, identity, composer, onSend, onEditLast, onFiles, onVoice } = props;
  const { t } = useTranslation('chat');
  const { t: tContacts } = useTranslation('contacts');
  const { sendKey } = useSettings();
  const { recording, start, end } = useRecording({
    isOpen: contact?.state !== 'asked' && contact?.state !== 'blocked',
    onRefused: () => showFeedback('error', t('composer.noMicrophone')),
  });

  const sentAt = useRef(-Infinity);

  function noteSent(): void {
    sentAt.current = performance.now();
  }

  function handleRecord({ detail, timeStamp }: MouseEvent): void {
    // The second press of a double click on Send lands on the microphone, which has replaced it.
    const isSecondPress = detail > 1 || timeStamp - sentAt.current < DOUBLE_PRESS_MS;
    if (!isSecondPress) void start();
  }

  async function handleCompare(): Promise<void> {
    await client.keys.requestVerification(peer).catch(() => showFeedback('error', tContacts('trust.failed')));
  }

  if (contact?.state === 'asked') {
    return (
      <Bottom>
        <RequestCard
          name={name}
          onDecide={(decision) => void client.contacts[decision](peer)}
          onReport={() => openReportDialog(peer, name)}
        />
      </Bottom>
    );
  }
  if (contact?.state === 'blocked') {
    return (
      <Bottom>
        <BlockedCard name={name} onUnblock={() => void client.contacts.unblock(peer)} />
      </Bottom>
    );
  }
  if (recording !== undefined) {
    return (
      <Suspense>
        <VoiceBar
          recording={recording}
          onCancel={end}
          onSend={(note) => {
            end();
            noteSent();
            onVoice(note);
          }}
        />
      </Suspense>
    );
  }
  const isNewIdentity = identity === 'changed' || identity === 'withdrawn';
  return (
    <>
      {isNewIdentity && (
        <Bottom>
          <IdentityCard
            name={name}
            wasVerified={identity === 'withdrawn'}
            onAccept={() => void client.keys.acceptIdentity(peer)}
            onCompare={() => void handleCompare()}
            onBlock={() => void client.contacts.block(peer)}
          />
        </Bottom>
      )}
      {contact?.state === 'accepted' && !contact.peerAccepts && (
        <Bottom>
          <PendingCard name={name} onWithdraw={() => void client.contacts.remove(peer)} />
        </Bottom>
      )}
      <Composer
        state={composer.state}
        text={composer.text}
        sendKey={sendKey}
        onChange={composer.change}
        onSend={() => {
          noteSent();
          onSend();
        }}
        onCancel={composer.cancel}
        onEditLast={onEditLast}
        onFiles={onFiles}
        onRecord={handleRecord}
      />
    </>
  );
}

function Bottom({ children }: { children: React.ReactNode }) {
  return (
    <div className="px-3 pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      <Suspense>{children}</Suspense>
    </div>
  );
}
