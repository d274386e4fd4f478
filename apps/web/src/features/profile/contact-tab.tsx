import { type Group, MAX_ENTRIES, MAX_LINE, type Profile } from '@dostar/protocol/contract/profile';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomInput } from '../../ui/custom-input.tsx';
import { EntryList } from './entry-list.tsx';
import { GroupForm } from './group-form.tsx';
import { LineList } from './line-list.tsx';
import { useGroupForm } from './use-group-form.ts';
import { WithProfile } from './with-profile.tsx';

export function ContactTab() {
  return <WithProfile>{(profile) => <ContactForm profile={profile} />}</WithProfile>;
}

function leaveOutBlank({ phones, links, messengers, ...rest }: Group<'contact'>): Group<'contact'> {
  return {
    ...rest,
    phones: phones.filter((line) => line.trim() !== ''),
    links: links.filter((line) => line.trim() !== '').map(addScheme),
    messengers: messengers.filter(({ service, name }) => `${service}${name}`.trim() !== ''),
  };
}

/** Adds `https://` to links such as `example.org`. */
function addScheme(link: string): string {
  const text = link.trim();
  return /^[a-z][a-z0-9+.-]*:/i.test(text) || !text.includes('.') ? text : `https://${text}`;
}

function ContactForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profile');
  const form = useGroupForm('contact', profile, leaveOutBlank);
  const { value, change, problemAt } = form;
  return (
    <GroupForm title={t('pages.contact.title')} lead={t('pages.contact.description')} form={form}>
      <CustomInput
        label={t('fields.email')}
        hint={t('fields.emailHint')}
        type="email"
        inputMode="email"
        value={value.email}
        maxLength={254}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        error={problemAt('email')}
        onChange={(event) => change({ email: event.target.value })}
      />
      <LineList
        title={t('lists.phones')}
        lines={value.phones}
        max={MAX_ENTRIES}
        type="tel"
        addLabel={t('lists.addPhone')}
        nameOf={(index) => t('fields.phone', { number: index + 1 })}
        problemAt={(index) => problemAt(`phones.${index}`)}
        onChange={(phones) => change({ phones })}
      />
      <LineList
        title={t('lists.links')}
        lines={value.links}
        max={MAX_ENTRIES}
        type="url"
        addLabel={t('lists.addLink')}
        nameOf={(index) => t('fields.link', { number: index + 1 })}
        problemAt={(index) => problemAt(`links.${index}`)}
        onChange={(links) => change({ links })}
      />
      <fieldset className="min-w-0">
        <legend className="mb-2 font-semibold">{t('lists.messengers')}</legend>
        <EntryList
          entries={value.messengers}
          blank={{ service: '', name: '' }}
          max={MAX_ENTRIES}
          addLabel={t('lists.addMessenger')}
          nameOf={(index) => value.messengers[index]?.service || t('fields.service')}
          onChange={(messengers) => change({ messengers })}
        >
          {(entry, index, changeEntry) => (
            <>
              <CustomInput
                label={t('fields.service')}
                value={entry.service}
                maxLength={MAX_LINE}
                error={problemAt(`messengers.${index}.service`)}
                onChange={(event) => changeEntry({ service: event.target.value })}
              />
              <CustomInput
                label={t('fields.messengerName')}
                value={entry.name}
                maxLength={MAX_LINE}
                autoCapitalize="none"
                spellCheck={false}
                error={problemAt(`messengers.${index}.name`)}
                onChange={(event) => changeEntry({ name: event.target.value })}
              />
            </>
          )}
        </EntryList>
      </fieldset>
    </GroupForm>
  );
}
