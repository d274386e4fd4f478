import { type ReactNode, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { CustomButton } from './custom-button.tsx';
import { Dialog } from './dialog.tsx';
import { Radio, RadioGroup } from './radio.tsx';

interface ChoiceDialogProps<T extends string> {
  title: string;
  description: string;
  label: string;
  /** `action`: a button beside the choice. */
  choices: readonly { value: T; name: string; action?: ReactNode }[];
  /** Undefined if none of the choices is the present one. */
  chosen: T | undefined;
  onSave: (value: T) => void;
  onClose: () => void;
}

/** A choice with a save button: arrow keys select each choice that they pass, which must not take effect at once. */
export function ChoiceDialog<T extends string>(props: ChoiceDialogProps<T>) {
  const { title, description, label, choices, chosen, onSave, onClose } = props;
  const { t } = useTranslation('ui');
  const [value, setValue] = useState(chosen);
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={title}
      description={description}
      actions={
        <CustomButton disabled={value === undefined} onClick={() => value !== undefined && onSave(value)}>
          {t('save')}
        </CustomButton>
      }
    >
      <div className="mt-4">
        <RadioGroup label={label} value={value ?? null} onValueChange={setValue}>
          {choices.map((choice) => (
            <div key={choice.value} className="flex items-center justify-between gap-3">
              <Radio value={choice.value}>{choice.name}</Radio>
              {choice.action}
            </div>
          ))}
        </RadioGroup>
      </div>
    </Dialog>
  );
}
