import { Copy } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { CustomInput } from '../../ui/custom-input.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { copyUsername } from './copy-username.ts';

const UsernameDialog = lazy(async () => ({ default: (await import('./username-dialog.tsx')).UsernameDialog }));

/** The username with buttons to copy and to change it. */
export function UsernameField({ username }: { username: string }) {
  const { t } = useTranslation('profile');
  const [isChanging, setIsChanging] = useState(false);

  function handleCopy(): void {
    void copyUsername(username, { empty: t('feedback.usernameEmpty'), copied: t('feedback.usernameCopied') });
  }

  return (
    <div>
      <CustomInput
        label={t('username.label')}
        value={username}
        readOnly
        dir="ltr"
        trailing={
          <IconButton label={t('header.copy')} icon={<Copy aria-hidden className="size-5" />} onClick={handleCopy} />
        }
      />
      <div className="mt-1 -ml-5">
        <CustomButton kind="quiet" onClick={() => setIsChanging(true)}>
          {t('header.change')}
        </CustomButton>
      </div>
      {isChanging && (
        <Suspense>
          <UsernameDialog username={username} onClose={() => setIsChanging(false)} />
        </Suspense>
      )}
    </div>
  );
}
