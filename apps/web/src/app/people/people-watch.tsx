import type { AccountId } from '@dostar/protocol/ids';
import { lazy, Suspense } from 'react';
import { endReport, useAskedReport } from '../../core/messenger/asked-report.ts';
import { useMessenger } from '../../core/messenger/messenger.ts';
import { useVerification } from './use-verification.ts';

const AlwaysThere = lazy(async () => ({ default: (await import('../always-there.tsx')).AlwaysThere }));
const ReportDialog = lazy(async () => ({ default: (await import('./report-dialog.tsx')).ReportDialog }));
const VerificationDialog = lazy(async () => ({
  default: (await import('./verification-dialog.tsx')).VerificationDialog,
}));

/** What may come up on any page about other people: a wish to compare, and a report somebody asked to make. */
export function PeopleWatch({ account }: { account: AccountId }) {
  const client = useMessenger();
  const asked = useAskedReport();
  const { shown, dismiss } = useVerification(client);
  if (client === undefined) return null;
  return (
    <Suspense>
      <AlwaysThere />
      {asked && (
        <ReportDialog
          key={asked.peer}
          client={client}
          me={account}
          peer={asked.peer}
          name={asked.name}
          onClose={endReport}
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
