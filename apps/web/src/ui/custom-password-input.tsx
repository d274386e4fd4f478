import { ArrowBigUp, Eye, EyeOff } from 'lucide-react';
import { type ChangeEvent, type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { CustomInput, type CustomInputProps } from './custom-input.tsx';
import { IconButton } from './icon-button.tsx';
import { PasswordMeter } from './password-meter.tsx';

export interface CustomPasswordInputProps extends Omit<CustomInputProps, 'type' | 'trailing' | 'isOptional'> {
  /** Shows how hard the typed password is to guess; only for new passwords. */
  hasMeter?: boolean;
  /** The text is visible from the start, for suggested passwords that the user has to read. */
  isShownAtFirst?: boolean;
}

export function CustomPasswordInput({
  hasMeter = false,
  isShownAtFirst = false,
  onChange,
  onKeyUp,
  onBlur,
  ...rest
}: CustomPasswordInputProps) {
  const { t } = useTranslation('ui');
  const [isShown, setIsShown] = useState(isShownAtFirst);
  const [hasCapsLock, setHasCapsLock] = useState(false);
  const [typed, setTyped] = useState(typeof rest.defaultValue === 'string' ? rest.defaultValue : '');
  const password = typeof rest.value === 'string' ? rest.value : typed;

  function handleChange(event: ChangeEvent<HTMLInputElement>): void {
    setTyped(event.target.value);
    onChange?.(event);
  }

  function handleKeyUp(event: KeyboardEvent<HTMLInputElement>): void {
    setHasCapsLock(event.getModifierState('CapsLock'));
    onKeyUp?.(event);
  }

  return (
    <div>
      <CustomInput
        autoComplete={hasMeter ? 'new-password' : 'current-password'}
        {...rest}
        type={isShown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        onChange={handleChange}
        onKeyUp={handleKeyUp}
        onBlur={(event) => {
          setHasCapsLock(false);
          onBlur?.(event);
        }}
        trailing={
          <IconButton
            label={isShown ? t('password.hide') : t('password.show')}
            aria-pressed={isShown}
            disabled={rest.disabled}
            onClick={() => setIsShown(!isShown)}
            icon={isShown ? <EyeOff aria-hidden className="size-5" /> : <Eye aria-hidden className="size-5" />}
          />
        }
      />
      <p role="status" className="text-small">
        {hasCapsLock && (
          <span className="mt-1.5 flex items-center gap-1.5 text-muted">
            <ArrowBigUp aria-hidden className="size-4" />
            {t('password.capsLock')}
          </span>
        )}
      </p>
      {hasMeter && <PasswordMeter password={password} />}
    </div>
  );
}
