import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { Suspense } from 'react';
import { useLive } from '../../../core/lib/use-live.ts';
import { lazyComponent } from '../../../ui/lazy-component.ts';
import { usePreparations } from '../video/preparations.ts';

const PreparationRow = lazyComponent(async () => (await import('./preparation-row.tsx')).PreparationRow);
const UploadRow = lazyComponent(async () => (await import('./upload-row.tsx')).UploadRow);

interface UploadTrayProps {
  client: Client;
  to: AccountId;
}

/** Uploads of this chat. They continue after a reload; the message appears when its file is uploaded. */
export function UploadTray({ client, to }: UploadTrayProps) {
  const uploads = useLive(client.live.uploads())?.filter((upload) => upload.to === to) ?? [];
  const preparations = usePreparations(to);
  if (uploads.length === 0 && preparations.length === 0) return null;
  return (
    <ul className="mx-2 mb-1 grid max-h-56 shrink-0 gap-2 overflow-y-auto rounded-card bg-surface p-2 shadow-card sm:mx-4">
      <Suspense>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} client={client} upload={upload} />
        ))}
        {preparations.map((preparation) => (
          <PreparationRow key={preparation.id} preparation={preparation} />
        ))}
      </Suspense>
    </ul>
  );
}
