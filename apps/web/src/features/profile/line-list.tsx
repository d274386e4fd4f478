import { MAX_LINK, MAX_PHONE_NUMBER } from '@dostar/protocol/contract/profile';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomInput } from '../../ui/custom-input.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

interface LineListProps {
  title: string;
  lines: readonly string[];
  max: number;
  type: 'tel' | 'url';
  addLabel: string;
  nameOf: (index: number) => string;
  problemAt: (index: number) => string | undefined;
  onChange: (lines: string[]) => void;
}

/** Editable list of single-line values, such as phone numbers. */
export function LineList({ title, lines, max, type, addLabel, nameOf, problemAt, onChange }: LineListProps) {
  const { t } = useTranslation('profile');
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 font-semibold">{title}</legend>
      {lines.map((line, index) => (
        <CustomInput
          // Lines have no ids. The user only appends or removes them, so the index is the key.
          key={index}
          label={nameOf(index)}
          type={type}
          inputMode={type}
          value={line}
          maxLength={type === 'tel' ? MAX_PHONE_NUMBER : MAX_LINK}
          autoCapitalize="none"
          spellCheck={false}
          error={problemAt(index)}
          onChange={(event) => onChange(lines.map((one, at) => (at === index ? event.target.value : one)))}
          trailing={
            <IconButton
              label={t('lists.remove', { what: nameOf(index) })}
              icon={<Trash2 aria-hidden className="size-5" />}
              onClick={() => onChange(lines.filter((_, at) => at !== index))}
            />
          }
        />
      ))}
      {lines.length < max && (
        <p>
          <CustomButton
            kind="quiet"
            icon={<Plus aria-hidden className="size-5" />}
            onClick={() => onChange([...lines, ''])}
          >
            {addLabel}
          </CustomButton>
        </p>
      )}
    </fieldset>
  );
}
