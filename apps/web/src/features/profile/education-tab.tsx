import { MAX_ENTRIES, MAX_LINE, type Profile } from '@dostar/protocol/contract/profile';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomInput } from '../../ui/custom-input.tsx';
import { EntryList } from './entry-list.tsx';
import { GroupForm } from './group-form.tsx';
import { useGroupForm } from './use-group-form.ts';
import { WithProfile } from './with-profile.tsx';
import { YearFields } from './year-fields.tsx';

export function EducationTab() {
  return <WithProfile>{(profile) => <EducationForm profile={profile} />}</WithProfile>;
}

const fields = ['school', 'degree', 'field'] as const;

function EducationForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const form = useGroupForm('education', profile);
  const { value, change, problemAt } = form;
  return (
    <GroupForm title={t('pages.education.title')} lead={t('pages.education.description')} form={form}>
      <EntryList
        entries={value.entries}
        blank={{ school: '', degree: '', field: '', from: '', to: '' }}
        max={MAX_ENTRIES}
        addLabel={t('lists.addSchool')}
        nameOf={(index) => t('lists.school', { number: index + 1 })}
        emptyText={t('lists.noSchools')}
        onChange={(entries) => change({ entries })}
      >
        {(entry, index, changeEntry) => (
          <>
            {fields.map((field) => (
              <div key={field} className={field === 'school' ? 'sm:col-span-2' : undefined}>
                <CustomInput
                  label={t(`fields.${field}`)}
                  value={entry[field]}
                  maxLength={MAX_LINE}
                  error={problemAt(`entries.${index}.${field}`)}
                  onChange={(event) => changeEntry({ [field]: event.target.value })}
                />
              </div>
            ))}
            <YearFields
              from={entry.from}
              to={entry.to}
              problemAt={(end) => problemAt(`entries.${index}.${end}`)}
              onChange={changeEntry}
            />
          </>
        )}
      </EntryList>
    </GroupForm>
  );
}
