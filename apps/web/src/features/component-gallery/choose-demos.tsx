import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Radio, RadioGroup } from '../../ui/radio.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Demo, DemoGroup } from './demo.tsx';

// The notation is the same in all three languages.
const bloodGroups = [
  'I (0) +',
  'I (0) −',
  'II (A) +',
  'II (A) −',
  'III (B) +',
  'III (B) −',
  'IV (AB) +',
  'IV (AB) −',
].map((name) => ({ value: name, label: name }));

export function ChooseDemos() {
  const { t } = useTranslation('components');
  return (
    <DemoGroup title={t('groups.choose')}>
      <Demo name="select" text={t('parts.select')}>
        <Select label={t('demo.bloodGroup')} options={bloodGroups} />
        <Select label={t('demo.bloodGroup')} options={bloodGroups} defaultValue="II (A) +" disabled />
      </Demo>
      <Demo name="radio" text={t('parts.radio')}>
        <RadioGroup label={t('demo.lastSeen')} defaultValue="contacts">
          <Radio value="everybody">{t('demo.everybody')}</Radio>
          <Radio value="contacts">{t('demo.contacts')}</Radio>
          <Radio value="nobody">{t('demo.nobody')}</Radio>
        </RadioGroup>
      </Demo>
      <Demo name="checkbox" text={t('parts.checkbox')}>
        <div>
          <Checkbox defaultChecked>{t('demo.remember')}</Checkbox>
          <Checkbox indeterminate>{t('demo.some')}</Checkbox>
          <Checkbox disabled>{t('demo.unavailable')}</Checkbox>
        </div>
      </Demo>
      <Demo name="switch" text={t('parts.switch')}>
        <div>
          <Switch defaultChecked hint={t('demo.receiptsHint')}>
            {t('demo.receipts')}
          </Switch>
          <Switch disabled>{t('demo.unavailable')}</Switch>
        </div>
      </Demo>
    </DemoGroup>
  );
}
