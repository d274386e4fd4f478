import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { ChoiceDialog } from '../../../ui/choice-dialog.tsx';
import { type TimerName, timers } from '../timer-names.ts';

interface TimerDialogProps {
  seconds: number;
  onChoose: (seconds: number) => void;
  onClose: () => void;
}

const names = Object.keys(timers) as TimerName[];

export function TimerDialog({ seconds, onChoose, onClose }: TimerDialogProps) {
  const { t } = useTranslation('chat');

  /** Saving posts a system line in the chat, so an unchanged timer is not saved. */
  function handleSave(name: TimerName): void {
    if (timers[name] === seconds) onClose();
    else onChoose(timers[name]);
  }

  return (
    <ChoiceDialog
      title={t('timer.title')}
      description={t('timer.text')}
      label={t('timer.title')}
      choices={names.map((name) => ({ value: name, name: t(`timer.${name}`) }))}
      chosen={names.find((name) => timers[name] === seconds) ?? 'off'}
      onSave={handleSave}
      onClose={onClose}
    />
  );
}
