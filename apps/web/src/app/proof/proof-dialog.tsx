import type { ProofMethod } from '@dostar/protocol/contract/proving';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { openProving } from '../../core/auth.ts';
import { wantTexts } from '../../core/texts.ts';
import { CustomButton } from '../../ui/custom-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ProofByLetter } from './proof-by-letter.tsx';
import { ProofByPasskey } from './proof-by-passkey.tsx';
import { ProofByPassword } from './proof-by-password.tsx';

await wantTexts('factors');

interface ProofDialogProps {
  onAnswer: (isProven: boolean) => void;
}

/** Asks once more who this is. Whichever way it ends, whoever asked gets an answer. */
export function ProofDialog({ onAnswer }: ProofDialogProps) {
  const { t } = useTranslation('factors');
  const [methods, setMethods] = useState<ProofMethod[]>();
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    openProving()
      .listMethods()
      .then(setMethods)
      .catch(() => setHasFailed(true));
  }, []);

  return (
    <Dialog
      isOpen
      onOpenChange={() => onAnswer(false)}
      title={t('proof.title')}
      description={hasFailed ? t('common.offline') : t('proof.text')}
    >
      {methods === undefined && !hasFailed && <Skeleton className="mt-5 h-13" />}
      {hasFailed && (
        <div className="mt-6 flex justify-end">
          <CustomButton onClick={() => onAnswer(false)}>{t('common.close')}</CustomButton>
        </div>
      )}
      {methods?.includes('password') && <ProofByPassword onAnswer={onAnswer} />}
      {methods?.includes('passkey') && <ProofByPasskey isOnly={!methods.includes('password')} onAnswer={onAnswer} />}
      {methods?.includes('email') && <ProofByLetter onAnswer={onAnswer} />}
    </Dialog>
  );
}
