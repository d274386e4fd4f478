import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { FOREVER, muteTimes } from '../../../core/messenger/mute-times.ts';
import { useNow } from '../../../core/lib/use-now.ts';
import { ChoiceDialog } from '../../../ui/choice-dialog.tsx';

const choices = ['off', 'hour', 'hours8', 'week', 'forever'] as const;
type Choice = (typeof choices)[number];

interface MuteDialogProps {
  value: number;
  onSave: (mutedUntil: number) => void;
  onClose: () => void;
}

export function MuteDialog({ value, onSave, onClose }: MuteDialogProps) {
  const { t } = useTranslation('contacts');
  const now = useNow();
  // Only the end time is stored, not the chosen duration, so a timed mute selects no choice.
  const chosen = value >= FOREVER ? 'forever' : value <= now ? 'off' : undefined;

  function handleChoice(choice: Choice): void {
    if (choice === 'off') onSave(0);
    else onSave(choice === 'forever' ? FOREVER : Date.now() + muteTimes[choice]);
  }

  return (
    <ChoiceDialog
      title={t('mute.title')}
      description={t('mute.text')}
      label={t('details.mute')}
      choices={choices.map((choice) => ({ value: choice, name: t(`mute.${choice}`) }))}
      chosen={chosen}
      onSave={handleChoice}
      onClose={onClose}
    />
  );
}
