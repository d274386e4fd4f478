import { useId } from 'react';
import { CustomLabel } from '../../ui/custom-label.tsx';
import { fieldClass } from '../../ui/field-class.ts';

interface NativeSelectProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onValueChange: (value: string) => void;
}

/** Native select element, which phones show with their own picker. */
export function NativeSelect({ label, value, options, onValueChange }: NativeSelectProps) {
  const id = useId();
  return (
    <div>
      <CustomLabel htmlFor={id}>{label}</CustomLabel>
      <select
        id={id}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        className={fieldClass(false, 'h-13 px-3')}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}
