import { Phone, Search, SquarePen } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { paths } from '../../core/lib/paths.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Demo, DemoGroup, DemoRow } from './demo.tsx';

export function PressDemos() {
  const { t } = useTranslation('components');
  return (
    <DemoGroup title={t('groups.press')}>
      <Demo name="custom-button" text={t('parts.customButton')} to={paths.customButton}>
        <DemoRow>
          <CustomButton>{t('demo.send')}</CustomButton>
          <CustomButton kind="secondary">{t('demo.cancel')}</CustomButton>
          <CustomButton kind="quiet">{t('demo.more')}</CustomButton>
          <CustomButton kind="danger">{t('demo.delete')}</CustomButton>
          <CustomButton isWaiting>{t('demo.saving')}</CustomButton>
          <CustomButton disabled>{t('demo.off')}</CustomButton>
        </DemoRow>
      </Demo>
      <Demo name="icon-button" text={t('parts.iconButton')}>
        <DemoRow>
          <IconButton label={t('demo.search')} icon={<Search aria-hidden className="size-5" />} />
          <IconButton kind="tinted" label={t('demo.write')} icon={<SquarePen aria-hidden className="size-5" />} />
          <IconButton kind="primary" label={t('demo.call')} icon={<Phone aria-hidden className="size-5" />} />
          <IconButton disabled label={t('demo.off')} icon={<Phone aria-hidden className="size-5" />} />
        </DemoRow>
      </Demo>
    </DemoGroup>
  );
}
