import { type Group, MAX_LINE, MAX_SKILLS, type Profile, SkillLevel } from '@dostar/protocol/contract/profile';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomInput } from '../../ui/custom-input.tsx';
import { EntryList } from './entry-list.tsx';
import { GroupForm } from './group-form.tsx';
import { NativeSelect } from './native-select.tsx';
import { useGroupForm } from './use-group-form.ts';
import { WithProfile } from './with-profile.tsx';

export function SkillsTab() {
  return <WithProfile>{(profile) => <SkillsForm profile={profile} />}</WithProfile>;
}

const blank: Group<'skills'>['entries'][number] = { name: '', level: 'intermediate' };

function SkillsForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const form = useGroupForm('skills', profile);
  const { value, change, problemAt } = form;
  const levels = SkillLevel.options.map((level) => ({ value: level, label: t(`levels.${level}`) }));
  return (
    <GroupForm title={t('pages.skills.title')} lead={t('pages.skills.description')} form={form}>
      <EntryList
        entries={value.entries}
        blank={blank}
        max={MAX_SKILLS}
        addLabel={t('lists.addSkill')}
        nameOf={(index) => t('lists.skill', { number: index + 1 })}
        emptyText={t('lists.noSkills')}
        onChange={(entries) => change({ entries })}
      >
        {(entry, index, changeEntry) => (
          <>
            <CustomInput
              label={t('fields.skill')}
              value={entry.name}
              maxLength={MAX_LINE}
              error={problemAt(`entries.${index}.name`)}
              onChange={(event) => changeEntry({ name: event.target.value })}
            />
            <NativeSelect
              label={t('fields.level')}
              value={entry.level}
              options={levels}
              onValueChange={(level) => changeEntry({ level: SkillLevel.parse(level) })}
            />
          </>
        )}
      </EntryList>
    </GroupForm>
  );
}
