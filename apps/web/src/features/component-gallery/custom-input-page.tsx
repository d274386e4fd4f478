import { Search } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CustomInput } from '../../ui/custom-input.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ComponentPage, State, StateGrid } from './component-page.tsx';

await requestTexts('components');

export const meta = pageMeta('components', 'customInput');

const usage = `<CustomInput
  label={t('fields.email')}
  name="email"
  type="email"
  autoComplete="username"
  error={problem && t(\`signIn.\${problem}\`)}
/>`;

export default function CustomInputPage() {
  const { t } = useTranslation('components');
  return (
    <ComponentPage
      name="custom-input"
      text={t('pages.customInput.description')}
      usage={usage}
      props={[
        { name: 'label', type: 'string', text: t('props.label') },
        { name: 'hint', type: 'string?', text: t('props.hint') },
        { name: 'error', type: 'string?', text: t('props.error') },
        { name: 'isOptional', type: 'boolean?', text: t('props.isOptional') },
        { name: 'trailing', type: 'ReactNode?', text: t('props.trailing') },
      ]}
      keys={[
        { keys: 'Tab', text: t('keys.tab') },
        { keys: 'Enter', text: t('keys.enterForm') },
      ]}
    >
      <StateGrid title={t('page.states')}>
        <State name={t('page.empty')}>
          <CustomInput label={t('demo.email')} type="email" />
        </State>
        <State name={t('page.filled')}>
          <CustomInput label={t('demo.email')} type="email" defaultValue="aigerim@mail.example" />
        </State>
        <State name={t('page.withHint')}>
          <CustomInput label={t('demo.username')} hint={t('demo.usernameHint')} />
        </State>
        <State name={t('page.withError')}>
          <CustomInput label={t('demo.username')} error={t('demo.usernameTaken')} defaultValue="dostar" />
        </State>
        <State name={t('page.optional')}>
          <CustomInput label={t('demo.city')} isOptional />
        </State>
        <State name={t('page.withIcon')}>
          <CustomInput
            label={t('demo.search')}
            type="search"
            trailing={<IconButton label={t('demo.search')} icon={<Search aria-hidden className="size-5" />} />}
          />
        </State>
        <State name={t('page.readOnly')}>
          <CustomInput label={t('demo.locked')} readOnly defaultValue="clever.fox.1042" />
        </State>
        <State name={t('page.disabled')}>
          <CustomInput label={t('demo.unavailable')} disabled defaultValue="clever.fox.1042" />
        </State>
      </StateGrid>
    </ComponentPage>
  );
}
