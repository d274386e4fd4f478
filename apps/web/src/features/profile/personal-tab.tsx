import { MAX_ADDRESS, MAX_LINE, MAX_PHONE_NUMBER, type Profile } from '@dostar/protocol/contract/profile';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomInput } from '../../ui/custom-input.tsx';
import { CustomTextArea } from '../../ui/custom-text-area.tsx';
import { GroupForm } from './group-form.tsx';
import { useGroupForm } from './use-group-form.ts';
import { UsernameField } from './username-field.tsx';
import { WelcomeCard } from './welcome-card.tsx';
import { WithProfile } from './with-profile.tsx';

export function PersonalTab() {
  return <WithProfile>{(profile) => <PersonalForm profile={profile} />}</WithProfile>;
}

function PersonalForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  // Set once: after the first save the welcome card must stay, because it links to the chats.
  const [isNew] = useState(profile.personal.revision === 0);
  const form = useGroupForm('personal', profile);
  const { value, change, problemAt } = form;
  return (
    <div className="flex flex-col gap-5">
      {isNew && <WelcomeCard />}
      <GroupForm title={t('pages.personal.title')} lead={t('pages.personal.description')} form={form}>
        <div className="grid gap-5 sm:grid-cols-2">
          <CustomInput
            label={t('fields.name')}
            value={value.name}
            maxLength={MAX_LINE}
            autoComplete="given-name"
            error={problemAt('name')}
            onChange={(event) => change({ name: event.target.value })}
          />
          <CustomInput
            label={t('fields.lastName')}
            value={value.lastName}
            maxLength={MAX_LINE}
            autoComplete="family-name"
            error={problemAt('lastName')}
            onChange={(event) => change({ lastName: event.target.value })}
          />
        </div>
        <UsernameField username={profile.username} />
        <CustomInput
          label={t('fields.phoneNumber')}
          type="tel"
          inputMode="tel"
          value={value.phoneNumber}
          maxLength={MAX_PHONE_NUMBER}
          autoComplete="tel"
          error={problemAt('phoneNumber')}
          onChange={(event) => change({ phoneNumber: event.target.value })}
        />
        <CustomTextArea
          label={t('fields.address')}
          rows={2}
          value={value.address}
          maxLength={MAX_ADDRESS}
          autoComplete="street-address"
          error={problemAt('address')}
          onChange={(event) => change({ address: event.target.value })}
        />
      </GroupForm>
    </div>
  );
}
