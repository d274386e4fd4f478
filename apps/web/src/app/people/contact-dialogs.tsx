import type { AccountId } from '@dostar/protocol/ids';
import { lazy, Suspense } from 'react';
import { closeReportDialog, useReportTarget } from '../../core/messenger/report-target.ts';
import { useMessenger } from '../../core/messenger/messenger.ts';
import { useVerification } from './use-verification.ts';

const BackgroundServices = lazy(async () => ({
  default: (await import('../background-services.tsx')).BackgroundServices,
}));
const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }));
const VerificationDialog = lazy(async () => ({
  default: (await import('./verification-dialog.tsx')).VerificationDialog,
}));

/** Dialogs about other people, available on any page: a verification, and a report. */
export function ContactDialogs({ account }: { account: AccountId }) {
  const client = useMessenger();
  const reportRequest = useReportTarget();
  const { shown, dismiss } = useVerification(client);
  if (client === undefined) return null;
  return (
    <Suspense>
      <BackgroundServices />
      {reportRequest && (
        <ReportDialog
          key={reportRequest.peer}
          client={client}
          me={account}
          peer={reportRequest.peer}
          name={reportRequest.name}
          onClose={closeReportDialog}
        />
      )}
      {shown && (
        <VerificationDialog
          key={shown.id}
          client={client}
          me={account}
          verification={shown}
          onClose={() => dismiss(shown.id)}
        />
      )}
    </Suspense>
  );
}
