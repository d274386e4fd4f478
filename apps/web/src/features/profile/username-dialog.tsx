import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { explainError } from '../../core/lib/explain-error.ts';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { readUsername } from '../../core/messenger/username.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomInput } from '../../ui/custom-input.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { openProfileClient } from '../../core/messenger/profile-client.ts';
import { noteUsername } from './own-profile.ts';
import { useAvailability } from './use-availability.ts';

interface UsernameDialogProps {
  username: string;
  onClose: () => void;
}

export function UsernameDialog({ username, onClose }: UsernameDialogProps) {
  const { t } = useTranslation('profile');
  const [typed, setTyped] = useState(username);
  const [isWaiting, setIsWaiting] = useState(false);
  /** A username that another account took between the availability check and the save. */
  const [lost, setLost] = useState<string>();
  const looked = useAvailability(typed, username);
  const found = lost === typed ? 'taken' : looked;
  const isWrong = found === 'taken' || found === 'tooOften' || found === 'offline';

  async function change(): Promise<void> {
    const newUsername = readUsername(typed);
    if (newUsername === undefined) return;
    setIsWaiting(true);
    try {
      const next = await openProfileClient().changeUsername(newUsername);
      noteUsername(next);
      showFeedback('success', t('username.done', { username: next }), successDuration);
      onClose();
    } catch (error) {
      explainError(error, {
        username_taken: () => setLost(typed),
        rate_limited: t('username.tooOften'),
        other: t('username.offline'),
      });
    } finally {
      setIsWaiting(false);
    }
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // The dialog is a React child of the page's form, so React would bubble the event and submit that form too.
    event.stopPropagation();
    if (found === 'free' && !isWaiting) void change();
  }

  return (
    <Dialog isOpen onOpenChange={onClose} title={t('username.title')} description={t('username.text')}>
      <form noValidate onSubmit={handleSubmit} className="mt-5 flex flex-col gap-5">
        <CustomInput
          label={t('username.label')}
          value={typed}
          dir="ltr"
          maxLength={33}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hint={hintOf()}
          error={isWrong ? t(`username.${found}`) : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <CustomButton kind="secondary" onClick={onClose}>
            {t('username.cancel')}
          </CustomButton>
          <CustomButton type="submit" disabled={found !== 'free'} isWaiting={isWaiting}>
            {t('username.submit')}
          </CustomButton>
        </div>
      </form>
    </Dialog>
  );

  function hintOf(): string {
    return found === 'free' || found === 'checking' ? t(`username.${found}`) : t('username.rules');
  }
}
