import { useId } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CustomLabel } from '../../ui/custom-label.tsx';
import { fieldClass } from '../../ui/field-class.ts';
import { ComponentPage, State, StateGrid } from './component-page.tsx';

await requestTexts('components');

export const meta = pageMeta('components', 'customLabel');

const usage = `<CustomLabel htmlFor={id} isOptional>
  {t('fields.city')}
</CustomLabel>
<input id={id} />`;

export default function CustomLabelPage() {
  const { t } = useTranslation('components');
  const id = useId();
  return (
    <ComponentPage
      name="custom-label"
      text={t('pages.customLabel.description')}
      usage={usage}
      props={[
        { name: 'htmlFor', type: 'string?', text: t('props.htmlFor') },
        { name: 'children', type: 'ReactNode', text: t('props.children') },
        { name: 'isOptional', type: 'boolean?', text: t('props.isOptional') },
      ]}
      keys={[{ keys: 'Click', text: t('keys.labelClick') }]}
    >
      <StateGrid title={t('page.states')}>
        <State name={t('page.plain')}>
          <CustomLabel htmlFor={`${id}-1`}>{t('demo.city')}</CustomLabel>
          <input id={`${id}-1`} className={fieldClass(false, 'h-13 px-4')} />
        </State>
        <State name={t('page.optional')}>
          <CustomLabel htmlFor={`${id}-2`} isOptional>
            {t('demo.city')}
          </CustomLabel>
          <input id={`${id}-2`} className={fieldClass(false, 'h-13 px-4')} />
        </State>
      </StateGrid>
    </ComponentPage>
  );
}
