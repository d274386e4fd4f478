import { lazy, Suspense } from 'react';
import { useReauthenticationRequest } from '../../core/reauthentication/reauthentication.ts';

const ReauthenticationDialog = lazy(async () => ({
  default: (await import('./reauthentication-dialog.tsx')).ReauthenticationDialog,
}));

/** Rendered in the root, so that features can request re-authentication without importing the dialog. */
export function PendingReauthentication() {
  const request = useReauthenticationRequest();
  if (request === undefined) return null;
  return (
    <Suspense>
      <ReauthenticationDialog onAnswer={request.answer} />
    </Suspense>
  );
}
