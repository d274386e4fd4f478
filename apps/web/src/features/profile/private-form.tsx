import type { PrivateProfile } from '@dostar/client';
import { Lock } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { ConflictCard } from './conflict-card.tsx';
import { sheetClass } from './group-form.tsx';
import { SaveBar } from './save-bar.tsx';
import type { PrivateFormState } from './use-private-form.ts';

interface PrivateFormProps<Part extends keyof PrivateProfile> {
  title: string;
  form: PrivateFormState<Part>;
  children: ReactNode;
}

export function PrivateForm<Part extends keyof PrivateProfile>({ title, form, children }: PrivateFormProps<Part>) {
  const { t } = useTranslation('profile');
  const id = useId();
  const { theirs } = form.draft;
  return (
    <form noValidate aria-labelledby={id} onSubmit={form.handleSubmit} className={sheetClass}>
      <div>
        <h2 id={id} className="text-title font-bold">
          {title}
        </h2>
        <p className="mt-1 flex items-start gap-2 text-muted">
          <Lock aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
          {t('private.note')}
        </p>
      </div>
      {theirs && <ConflictCard theirs={theirs} onTake={form.draft.takeTheirs} onKeep={form.keepMine} />}
      <div className="grid gap-5 sm:grid-cols-2">{children}</div>
      <SaveBar isDirty={form.draft.isDirty} isSaving={form.isSaving} />
    </form>
  );
}
