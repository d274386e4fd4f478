import { isDecodable } from '@dostar/protocol/content/picture-size';
import { useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { QrScanner } from '../../ui/qr-scanner.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

interface ReadyStepProps {
  /** Missing if this side has no code to show. */
  code: Uint8Array | undefined;
  isWaiting: boolean;
  onEmoji: () => void;
  onScan: (code: Uint8Array) => void;
}

/** Both sides are ready: they compare emoji, or one scans the other's screen. */
export function ReadyStep({ code, isWaiting, onEmoji, onScan }: ReadyStepProps) {
  const { t } = useTranslation('contacts');
  const [way, setWay] = useState<'show' | 'scan'>();
  return (
    <div className="mt-5 grid gap-3">
      {way === 'show' && code && (
        <div className="flex justify-center">
          <QrCode value={[...code]} label={t('verify.code')} />
        </div>
      )}
      {way === 'scan' && (
        <QrScanner
          content="bytes"
          words={{
            hint: t('scan.hint'),
            noCamera: t('verify.scan.noCamera'),
            choosePicture: t('scan.picture'),
            nothing: t('verify.scan.nothing'),
          }}
          isDecodable={isDecodable}
          onCode={(read) => {
            onScan(read);
            return true;
          }}
        />
      )}
      <CustomButton isWide isWaiting={isWaiting} onClick={onEmoji}>
        {t('verify.ready.emoji')}
      </CustomButton>
      {code && way !== 'show' && (
        <CustomButton kind="secondary" isWide onClick={() => setWay('show')}>
          {t('verify.ready.show')}
        </CustomButton>
      )}
      {way !== 'scan' && (
        <CustomButton kind="secondary" isWide onClick={() => setWay('scan')}>
          {t('verify.ready.scan')}
        </CustomButton>
      )}
    </div>
  );
}
