import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CustomPasswordInput } from '../../ui/custom-password-input.tsx';
import { ComponentPage, State, StateGrid } from './component-page.tsx';

await requestTexts('components');

export const meta = pageMeta('components', 'customPasswordInput');

const usage = `<CustomPasswordInput
  label={t('fields.password')}
  name="password"
  hasMeter
  hint={t('fields.passwordHint', { count: 4 })}
/>`;

export default function CustomPasswordInputPage() {
  const { t } = useTranslation('components');
  return (
    <ComponentPage
      name="custom-password-input"
      text={t('pages.customPasswordInput.description')}
      usage={usage}
      props={[
        { name: 'label', type: 'string', text: t('props.label') },
        { name: 'hint', type: 'string?', text: t('props.hint') },
        { name: 'error', type: 'string?', text: t('props.error') },
        { name: 'hasMeter', type: 'boolean?', text: t('props.hasMeter') },
      ]}
      keys={[
        { keys: 'Tab', text: t('keys.tab') },
        { keys: 'Space', text: t('keys.showHide') },
        { keys: 'Caps Lock', text: t('keys.caps') },
      ]}
    >
      <StateGrid title={t('page.states')}>
        <State name={t('page.empty')}>
          <CustomPasswordInput label={t('demo.password')} />
        </State>
        <State name={t('page.filled')}>
          <CustomPasswordInput label={t('demo.password')} defaultValue="morning steppe" />
        </State>
        <State name={t('page.withMeter')}>
          <CustomPasswordInput label={t('demo.newPassword')} hasMeter defaultValue="four quiet grey horses" />
        </State>
        <State name={t('page.withError')}>
          <CustomPasswordInput label={t('demo.password')} error={t('demo.wrong')} defaultValue="1234" />
        </State>
        <State name={t('page.disabled')}>
          <CustomPasswordInput label={t('demo.unavailable')} disabled defaultValue="1234" />
        </State>
      </StateGrid>
    </ComponentPage>
  );
}
