import type { Client, IdentityProof } from '@dostar/client';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { CustomInput } from '../../ui/custom-input.tsx';
import { PrivateForm } from './private-form.tsx';
import { usePrivateForm } from './use-private-form.ts';

interface IdentityDocumentsFormProps {
  client: Client;
  kept: IdentityProof;
  onDirtyChange: (isDirty: boolean) => void;
}

const fields = ['atomicsId', 'pin', 'passportNumber', 'drivingLicenseNumber'] as const;

export function IdentityDocumentsForm({ client, kept, onDirtyChange }: IdentityDocumentsFormProps) {
  const { t } = useTranslation('profile');
  const sentences = { saved: t('account.idProofSaved'), failed: t('account.idProofFailed') };
  const form = usePrivateForm({ client, part: 'identityProof', kept, sentences, onDirtyChange });
  return (
    <PrivateForm title={t('private.idProof')} form={form}>
      {fields.map((field) => (
        <CustomInput
          key={field}
          label={t(`private.${field}`)}
          value={form.draft.value[field]}
          maxLength={120}
          // Browsers should not store document numbers.
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={(event) => form.change({ [field]: event.target.value })}
        />
      ))}
    </PrivateForm>
  );
}
