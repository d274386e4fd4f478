import { MAX_DESCRIPTION, MAX_ENTRIES, MAX_LINE, type Profile } from '@dostar/protocol/contract/profile';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomInput } from '../../ui/custom-input.tsx';
import { CustomTextArea } from '../../ui/custom-text-area.tsx';
import { EntryList } from './entry-list.tsx';
import { GroupForm } from './group-form.tsx';
import { useGroupForm } from './use-group-form.ts';
import { WithProfile } from './with-profile.tsx';
import { YearFields } from './year-fields.tsx';

export function WorkTab() {
  return <WithProfile>{(profile) => <WorkForm profile={profile} />}</WithProfile>;
}

const fields = ['company', 'position'] as const;

function WorkForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const form = useGroupForm('work', profile);
  const { value, change, problemAt } = form;
  return (
    <GroupForm title={t('pages.work.title')} lead={t('pages.work.description')} form={form}>
      <EntryList
        entries={value.entries}
        blank={{ company: '', position: '', from: '', to: '', description: '' }}
        max={MAX_ENTRIES}
        addLabel={t('lists.addJob')}
        nameOf={(index) => t('lists.job', { number: index + 1 })}
        emptyText={t('lists.noJobs')}
        onChange={(entries) => change({ entries })}
      >
        {(entry, index, changeEntry) => (
          <>
            {fields.map((field) => (
              <CustomInput
                key={field}
                label={t(`fields.${field}`)}
                value={entry[field]}
                maxLength={MAX_LINE}
                error={problemAt(`entries.${index}.${field}`)}
                onChange={(event) => changeEntry({ [field]: event.target.value })}
              />
            ))}
            <YearFields
              from={entry.from}
              to={entry.to}
              problemAt={(end) => problemAt(`entries.${index}.${end}`)}
              onChange={changeEntry}
            />
            <div className="sm:col-span-2">
              <CustomTextArea
                label={t('fields.description')}
                value={entry.description}
                maxLength={MAX_DESCRIPTION}
                error={problemAt(`entries.${index}.description`)}
                onChange={(event) => changeEntry({ description: event.target.value })}
              />
            </div>
          </>
        )}
      </EntryList>
    </GroupForm>
  );
}
