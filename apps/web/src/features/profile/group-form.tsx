import { Audience, type GroupName } from '@dostar/protocol/contract/profile';
import type { ReactNode } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { productName } from '../../product.ts';
import { ConflictCard } from './conflict-card.tsx';
import { NativeSelect } from './native-select.tsx';
import { SaveBar } from './save-bar.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import type { GroupFormState } from './use-group-form.ts';

interface GroupFormProps<Name extends GroupName> {
  title: string;
  lead: string;
  form: GroupFormState<Name>;
  children: ReactNode;
}

export const sheetClass =
  'flex flex-col gap-5 rounded-card border border-line bg-surface p-5 shadow-card sm:p-6 [&>*]:min-w-0';

/** Form of a profile tab: fields, audience, and one save button. */
export function GroupForm<Name extends GroupName>({ title, lead, form, children }: GroupFormProps<Name>) {
  const { t } = useTranslation('profile');
  const { theirs } = form;
  return (
    <form noValidate onSubmit={form.handleSubmit} className={sheetClass}>
      <div>
        <h1 className="text-title font-bold">{title}</h1>
        <p className="mt-1 text-muted">{lead}</p>
      </div>
      {theirs && <ConflictCard theirs={theirs.value} onTake={form.takeTheirs} onKeep={form.keepMine} />}
      {children}
      <NativeSelect
        label={t('audience.label')}
        value={form.audience}
        onValueChange={(audience) => form.changeAudience(Audience.parse(audience))}
        options={Audience.options.map((audience) => ({
          value: audience,
          label: t(`audience.${audience}`, { product: productName }),
        }))}
      />
      <SaveBar isDirty={form.isDirty} isSaving={form.isSaving} />
      <UnsavedGuard isDirty={form.isDirty} />
    </form>
  );
}
