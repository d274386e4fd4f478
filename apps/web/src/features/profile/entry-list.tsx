import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

interface EntryListProps<Entry> {
  entries: readonly Entry[];
  /** Initial value of a new entry. */
  blank: Entry;
  max: number;
  addLabel: string;
  /** Accessible name of an entry. */
  nameOf: (index: number) => string;
  /** Shown if there are no entries. */
  emptyText?: string;
  onChange: (entries: Entry[]) => void;
  children: (entry: Entry, index: number, change: (changes: Partial<Entry>) => void) => ReactNode;
}

/** Editable list of entries. */
export function EntryList<Entry extends object>(props: EntryListProps<Entry>) {
  const { entries, blank, max, addLabel, nameOf, emptyText, onChange, children } = props;
  const { t } = useTranslation('profile');
  return (
    <div className="flex flex-col gap-4">
      {entries.length === 0 && emptyText !== undefined && <p className="text-muted">{emptyText}</p>}
      {entries.map((entry, index) => (
        // Entries have no ids. The user only appends or removes them, so the index is the key.
        <fieldset key={index} className="relative min-w-0 rounded-field border border-line bg-bg p-4">
          <legend className="sr-only">{nameOf(index)}</legend>
          <div className="grid gap-4 pr-12 sm:grid-cols-2">
            {children(entry, index, (changes) =>
              onChange(entries.map((one, at) => (at === index ? { ...one, ...changes } : one))),
            )}
          </div>
          <div className="absolute top-2 right-2">
            <IconButton
              label={t('lists.remove', { what: nameOf(index) })}
              icon={<Trash2 aria-hidden className="size-5" />}
              onClick={() => onChange(entries.filter((_, at) => at !== index))}
            />
          </div>
        </fieldset>
      ))}
      {entries.length < max && (
        <p>
          <CustomButton
            kind="secondary"
            icon={<Plus aria-hidden className="size-5" />}
            onClick={() => onChange([...entries, blank])}
          >
            {addLabel}
          </CustomButton>
        </p>
      )}
    </div>
  );
}
