import { Upload } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { cx } from './cx.ts';

interface FileDropProps {
  label: string;
  hint?: string;
  accept?: string;
  isMultiple?: boolean;
  disabled?: boolean;
  onFiles?: (files: File[]) => void;
}

/** A drop area for files. It contains a file input, so that keyboards and phones can use it in their usual way. */
export function FileDrop({ label, hint, accept, isMultiple = false, disabled = false, onFiles }: FileDropProps) {
  const { t } = useTranslation('ui');
  const id = useId();
  const [isOver, setIsOver] = useState(false);

  function handleDrop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    if (!disabled) onFiles?.([...event.dataTransfer.files].slice(0, isMultiple ? undefined : 1));
  }

  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(!disabled);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
      className={cx(
        'flex cursor-pointer flex-col items-center gap-1 rounded-card border-2 border-dashed px-4 py-7 text-center transition-colors',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        isOver ? 'border-accent bg-accent-soft' : 'border-field-line/60 bg-surface hover:border-accent',
        disabled && 'pointer-events-none opacity-55',
      )}
    >
      <Upload aria-hidden className="mb-1.5 size-7 text-accent" />
      <span className="font-semibold">{label}</span>
      <span className="text-muted">
        <span className="text-accent underline underline-offset-3">{t('file.choose')}</span> {t('file.drop')}
      </span>
      {hint !== undefined && <span className="text-small text-muted">{hint}</span>}
      <input
        id={id}
        type="file"
        accept={accept}
        multiple={isMultiple}
        disabled={disabled}
        className="sr-only"
        onChange={(event) => onFiles?.([...(event.target.files ?? [])])}
      />
    </label>
  );
}
