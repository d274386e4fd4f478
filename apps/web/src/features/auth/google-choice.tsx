import { ANY_ACCOUNT, CALL_HEADER } from '@dostar/protocol/contract/endpoint';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useLocation } from 'react-router';
import { readNextPage } from '../../core/session/next-page.ts';
import { useGoogle } from '../../core/session/use-google.ts';
import { GoogleIcon } from '../../ui/art/google-icon.tsx';
import { CustomButton } from '../../ui/custom-button.tsx';

const address = '/api/auth/google';

export function GoogleChoice() {
  const { t } = useTranslation('auth');
  const { search } = useLocation();
  const { isLeaving, go } = useGoogle();
  const [isOn, setIsOn] = useState(true);

  // The browser may have cached this page before the operator turned Google off, so the page asks the server.
  useEffect(() => {
    void fetch(address, { headers: { [CALL_HEADER]: ANY_ACCOUNT } })
      .then((reply) => reply.json() as Promise<{ isOn?: boolean }>)
      .then((answer) => setIsOn(answer.isOn !== false))
      .catch(() => undefined);
  }, []);

  if (!isOn) return null;
  return (
    <div className="without-google:hidden">
      <p className="my-5 flex items-center gap-4 text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        {t('common.or')}
      </p>
      <CustomButton
        kind="secondary"
        size="large"
        isWide
        icon={<GoogleIcon />}
        isWaiting={isLeaving}
        onClick={() => void go(readNextPage(search))}
      >
        {t('common.google')}
      </CustomButton>
    </div>
  );
}
