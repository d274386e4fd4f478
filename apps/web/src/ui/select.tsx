import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { CustomLabel } from './custom-label.tsx';
import { fieldClass } from './field-class.ts';
import { FieldNote } from './field-note.tsx';
import { popupClass, popupItemClass } from './popup-class.ts';

interface SelectOption {
  value: string;
  label: string;
}

interface SelectProps {
  label: string;
  options: readonly SelectOption[];
  value?: string;
  defaultValue?: string;
  disabled?: boolean;
  hint?: string;
  error?: string;
  onValueChange?: (value: string) => void;
}

export function Select({ label, options, hint, error, onValueChange, ...rest }: SelectProps) {
  const { t } = useTranslation('ui');
  const id = useId();
  const noteId = `${id}-note`;
  return (
    // Without this its popup writes a <style> element, which the page's policy refuses.
    <CSPProvider disableStyleElements>
      <div>
        <Base.Root {...rest} items={options} onValueChange={(value) => value !== null && onValueChange?.(value)}>
          <CustomLabel htmlFor={id} id={`${id}-label`}>
            {label}
          </CustomLabel>
          <Base.Trigger
            id={id}
            aria-labelledby={`${id}-label ${id}`}
            aria-describedby={noteId}
            aria-invalid={error !== undefined || undefined}
            className={fieldClass(
              error !== undefined,
              'flex min-h-13 items-center justify-between gap-3 px-4 text-left data-disabled:cursor-not-allowed data-disabled:opacity-60',
            )}
          >
            <Base.Value>
              {(value: string | null) =>
                options.find((option) => option.value === value)?.label ?? (
                  <span className="text-muted">{t('select.choose')}</span>
                )
              }
            </Base.Value>
            <ChevronDown aria-hidden className="size-5 text-muted" />
          </Base.Trigger>
          <Base.Portal>
            <Base.Positioner alignItemWithTrigger={false} sideOffset={6} className="z-50 outline-none">
              <Base.Popup className={`${popupClass} max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto`}>
                {options.map((option) => (
                  <Base.Item key={option.value} value={option.value} className={`${popupItemClass} justify-between`}>
                    <Base.ItemText>{option.label}</Base.ItemText>
                    <Base.ItemIndicator>
                      <Check aria-hidden className="size-4.5 text-accent" />
                    </Base.ItemIndicator>
                  </Base.Item>
                ))}
              </Base.Popup>
            </Base.Positioner>
          </Base.Portal>
        </Base.Root>
        <FieldNote id={noteId} hint={hint} error={error} />
      </div>
    </CSPProvider>
  );
}
