import { Send } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { pageMeta } from '../../core/lib/page-meta.ts';
import { requestTexts } from '../../core/i18n/texts.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { ComponentPage, State, StateGrid } from './component-page.tsx';
import { DemoRow } from './demo.tsx';

await requestTexts('components');

export const meta = pageMeta('components', 'customButton');

const usage = `<CustomButton type="submit" size="large" isWide isWaiting={isSending}>
  {t('signIn.submit')}
</CustomButton>`;

function WaitingDemo() {
  const { t } = useTranslation('components');
  const [isWaiting, setIsWaiting] = useState(false);

  function handlePress(): void {
    setIsWaiting(true);
    setTimeout(() => setIsWaiting(false), 2000);
  }

  return (
    <CustomButton isWaiting={isWaiting} onClick={handlePress}>
      {isWaiting ? t('demo.saving') : t('demo.save')}
    </CustomButton>
  );
}

export default function CustomButtonPage() {
  const { t } = useTranslation('components');
  return (
    <ComponentPage
      name="custom-button"
      text={t('pages.customButton.description')}
      usage={usage}
      props={[
        { name: 'children', type: 'ReactNode', text: t('props.children') },
        { name: 'kind', type: "'primary' | 'secondary' | 'quiet' | 'danger'", text: t('props.kind') },
        { name: 'size', type: "'medium' | 'large'", text: t('props.size') },
        { name: 'isWaiting', type: 'boolean?', text: t('props.isWaiting') },
        { name: 'isWide', type: 'boolean?', text: t('props.isWide') },
        { name: 'icon', type: 'ReactNode?', text: t('props.icon') },
      ]}
      keys={[
        { keys: 'Tab', text: t('keys.tab') },
        { keys: 'Enter, Space', text: t('keys.pressButton') },
      ]}
    >
      <StateGrid title={t('page.kinds')}>
        <State name="primary">
          <CustomButton>{t('demo.send')}</CustomButton>
        </State>
        <State name="secondary">
          <CustomButton kind="secondary">{t('demo.cancel')}</CustomButton>
        </State>
        <State name="quiet">
          <CustomButton kind="quiet">{t('demo.more')}</CustomButton>
        </State>
        <State name="danger">
          <CustomButton kind="danger">{t('demo.delete')}</CustomButton>
        </State>
      </StateGrid>
      <StateGrid title={t('page.states')}>
        <State name={t('page.withIcon')}>
          <CustomButton icon={<Send aria-hidden className="size-4.5" />}>{t('demo.send')}</CustomButton>
        </State>
        <State name={t('page.waiting')}>
          <WaitingDemo />
        </State>
        <State name={t('page.disabled')}>
          <DemoRow>
            <CustomButton disabled>{t('demo.send')}</CustomButton>
            <CustomButton kind="secondary" disabled>
              {t('demo.cancel')}
            </CustomButton>
          </DemoRow>
        </State>
        <State name={t('page.wide')}>
          <CustomButton isWide>{t('demo.save')}</CustomButton>
        </State>
      </StateGrid>
      <StateGrid title={t('page.sizes')}>
        <State name={t('page.medium')}>
          <CustomButton>{t('demo.save')}</CustomButton>
        </State>
        <State name={t('page.large')}>
          <CustomButton size="large">{t('demo.save')}</CustomButton>
        </State>
      </StateGrid>
    </ComponentPage>
  );
}
