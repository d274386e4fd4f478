import { useTranslation } from 'react-i18next';
import { showFeedback } from '../../core/feedback.ts';
import { GoogleIcon } from '../../ui/art/google-icon.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';

export function GoogleChoice() {
  const { t } = useTranslation('auth');
  return (
    <>
      <p className="my-5 flex items-center gap-4 text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        {t('common.or')}
      </p>
      <CustomButton
        kind="secondary"
        size="large"
        isWide
        icon={<GoogleIcon />}
        onClick={() => showFeedback('error', t('common.notYet'))}
      >
        {t('common.google')}
      </CustomButton>
    </>
  );
}
