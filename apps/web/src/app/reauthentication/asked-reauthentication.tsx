import { lazy, Suspense } from 'react';
import { useAskedProof } from '../../core/reauthentication/reauthentication.ts';

const ProofDialog = lazy(async () => ({ default: (await import('./reauthentication-dialog.tsx')).ProofDialog }));

/** In the root, so that every feature can ask without knowing the dialog. */
export function AskedProof() {
  const asked = useAskedProof();
  if (asked === undefined) return null;
  return (
    <Suspense>
      <ProofDialog onAnswer={asked.answer} />
    </Suspense>
  );
}
