import { useTranslation } from 'react-i18next';
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
  return (
    <ChoiceDialog
      title={t('timer.title')}
      description={t('timer.text')}
      label={t('timer.title')}
      choices={names.map((name) => ({ value: name, name: t(`timer.${name}`) }))}
      chosen={names.find((name) => timers[name] === seconds) ?? 'off'}
      onSave={(name) => onChoose(timers[name])}
      onClose={onClose}
    />
  );
}
