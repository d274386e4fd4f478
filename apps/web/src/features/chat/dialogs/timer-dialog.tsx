import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog.tsx';
import { Radio, RadioGroup } from '../../../ui/radio.tsx';
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
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('timer.title')}
      description={t('timer.text')}
    >
      <div className="mt-4">
        <RadioGroup
          label={t('timer.title')}
          value={names.find((name) => timers[name] === seconds) ?? 'off'}
          onValueChange={(name) => onChoose(timers[name])}
        >
          {names.map((name) => (
            <Radio key={name} value={name}>
              {t(`timer.${name}`)}
            </Radio>
          ))}
        </RadioGroup>
      </div>
    </Dialog>
  );
}
