import type { Client, Message } from '@dostar/client';
import { type AccountId, directChat } from '@dostar/protocol/ids';
import type { ReportReason } from '@dostar/protocol/contract/contacts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { useLive } from '../../core/lib/use-live.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomTextArea } from '../../ui/custom-text-area.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Radio, RadioGroup } from '../../ui/radio.tsx';
import { composeReportNote, MAX_NOTE } from './compose-report-note.ts';

await requestTexts('contacts');

const reasons = ['spam', 'harassment', 'violence', 'impersonation', 'other'] as const satisfies ReportReason[];
const MESSAGES_SHOWN = 5;

interface ReportDialogProps {
  client: Client;
  me: AccountId;
  peer: AccountId;
  name: string;
  onClose: () => void;
}

/**
 * Reports a user to the operator. Messages are included only if the reporter agrees: only this device can decrypt them.
 */
export function ReportDialog({ client, me, peer, name, onClose }: ReportDialogProps) {
  const { t } = useTranslation('contacts');
  const timeline = useLive(client.live.timeline(directChat(me, peer), 50));
  const [reason, setReason] = useState<ReportReason>('spam');
  const [isWithMessages, setIsWithMessages] = useState(false);
  const [isBlocking, setIsBlocking] = useState(true);
  const [isWaiting, setIsWaiting] = useState(false);
  const said = (timeline ?? [])
    .filter(({ sender }) => sender === peer)
    .flatMap(wordsOf)
    .slice(-MESSAGES_SHOWN);

  async function send(words: string): Promise<void> {
    setIsWaiting(true);
    try {
      const note = composeReportNote(words, isWithMessages ? said : []);
      await client.contacts.report(peer, reason, note === '' ? undefined : note);
      if (isBlocking) await client.contacts.block(peer);
      showFeedback('success', t('report.done'), successDuration);
      onClose();
    } catch {
      showFeedback('error', t('report.failed'));
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const words = new FormData(event.currentTarget).get('note');
    void send(typeof words === 'string' ? words : '');
  }

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('report.title', { name })}
      description={t('report.text')}
    >
      <form onSubmit={handleSubmit} className="mt-4 grid gap-3">
        <RadioGroup label={t('report.reason')} value={reason} onValueChange={setReason}>
          {reasons.map((one) => (
            <Radio key={one} value={one}>
              {t(`report.${one}`)}
            </Radio>
          ))}
        </RadioGroup>
        <CustomTextArea label={t('report.note')} name="note" rows={2} maxLength={MAX_NOTE} />
        <div>
          {said.length > 0 && (
            <Checkbox checked={isWithMessages} onCheckedChange={setIsWithMessages}>
              {t('report.messages', { count: said.length })}
            </Checkbox>
          )}
          <Checkbox checked={isBlocking} onCheckedChange={setIsBlocking}>
            {t('report.block', { name })}
          </Checkbox>
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <CustomButton kind="secondary" onClick={onClose}>
            {t('cancel')}
          </CustomButton>
          <CustomButton type="submit" kind="danger" isWaiting={isWaiting}>
            {t('report.submit')}
          </CustomButton>
        </div>
      </form>
    </Dialog>
  );
}

function wordsOf({ shows }: Message): string[] {
  if (shows.state !== 'content') return [];
  const { content } = shows;
  if (content.kind === 'text') return [content.text];
  return content.kind === 'media' ? [content.caption ?? content.media.name] : [];
}
