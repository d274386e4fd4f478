import type { Client, PersonalInformation } from '@dostar/client';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useNow } from '../../core/lib/use-now.ts';
import { CustomInput } from '../../ui/custom-input.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { ChoiceField } from './choice-field.tsx';
import { computeAge } from './compute-age.ts';
import { PrivateForm } from './private-form.tsx';
import { usePrivateForm } from './use-private-form.ts';

interface PersonalInformationFormProps {
  client: Client;
  kept: PersonalInformation;
  onDirtyChange: (isDirty: boolean) => void;
}

const bloodGroups = ['O', 'A', 'B', 'AB'].flatMap((group) => [`${group}+`, `${group}−`]);
const maritalStatuses = ['single', 'married', 'divorced', 'widowed'] as const;
const genders = ['female', 'male', 'other'] as const;
/** Value of an incomplete date, which is never saved. */
const halfTyped = '?';

export function PersonalInformationForm({ client, kept, onDirtyChange }: PersonalInformationFormProps) {
  const { t } = useTranslation('profile');
  const today = new Date(useNow());
  const [hasTried, setHasTried] = useState(false);
  const sentences = { saved: t('account.personalSaved'), failed: t('account.personalFailed') };
  const form = usePrivateForm({
    client,
    part: 'personalInformation',
    kept,
    sentences,
    check({ birthday }) {
      setHasTried(!isPast(birthday, today));
      return isPast(birthday, today);
    },
    onDirtyChange,
  });
  const { value, round } = form.draft;
  const { change } = form;
  const age = computeAge(value.birthday, today);

  return (
    <PrivateForm title={t('private.personal')} form={form}>
      <CustomInput
        label={t('private.fullname')}
        value={value.fullname}
        maxLength={120}
        autoComplete="name"
        onChange={(event) => change({ fullname: event.target.value })}
      />
      <DateField
        key={round}
        label={t('private.birthday')}
        defaultValue={value.birthday}
        error={hasTried && !isPast(value.birthday, today) ? t('problems.date') : undefined}
        onValueChange={(date, isEmpty) => change({ birthday: date ?? (isEmpty ? '' : halfTyped) })}
      />
      <CustomInput
        label={t('private.age')}
        readOnly
        value={age === undefined ? '' : String(age)}
        hint={age === undefined ? t('private.ageUnknown') : ''}
      />
      <ChoiceField
        label={t('private.gender')}
        value={value.gender}
        options={genders.map((gender) => ({ value: gender, label: t(`genders.${gender}`) }))}
        onChange={(gender) => change({ gender })}
      />
      <ChoiceField
        label={t('private.maritalStatus')}
        value={value.maritalStatus}
        options={maritalStatuses.map((status) => ({ value: status, label: t(`marital.${status}`) }))}
        onChange={(maritalStatus) => change({ maritalStatus })}
      />
      <ChoiceField
        label={t('private.bloodGroup')}
        value={value.bloodGroup}
        options={bloodGroups.map((group) => ({ value: group, label: group }))}
        onChange={(bloodGroup) => change({ bloodGroup })}
      />
      <CustomInput
        label={t('private.nationality')}
        value={value.nationality}
        maxLength={120}
        onChange={(event) => change({ nationality: event.target.value })}
      />
      <CustomInput
        label={t('private.region')}
        value={value.region}
        maxLength={120}
        onChange={(event) => change({ region: event.target.value })}
      />
      <div className="sm:col-span-2">
        <CustomInput
          label={t('private.languages')}
          hint={t('private.languagesHint')}
          value={value.languages}
          maxLength={120}
          onChange={(event) => change({ languages: event.target.value })}
        />
      </div>
    </PrivateForm>
  );
}

/** True for no date and for a date in the past. */
function isPast(birthday: string, today: Date): boolean {
  return birthday === '' || computeAge(birthday, today) !== undefined;
}
