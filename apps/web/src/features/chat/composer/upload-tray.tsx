import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { Suspense } from 'react';
import { useLive } from '../../../core/use-live.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';

const UploadRow = lazyPart(async () => (await import('./upload-row.tsx')).UploadRow);

interface UploadTrayProps {
  client: Client;
  to: AccountId;
}

/** Files on their way into this chat. They go on after a reload; the message appears when the file is there. */
export function UploadTray({ client, to }: UploadTrayProps) {
  const uploads = useLive(client.live.uploads())?.filter((upload) => upload.to === to);
  if (uploads === undefined || uploads.length === 0) return null;
  return (
    <ul className="mx-2 mb-1 grid max-h-40 gap-1 overflow-y-auto rounded-card bg-surface p-2 shadow-card sm:mx-4">
      <Suspense>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} client={client} upload={upload} />
        ))}
      </Suspense>
    </ul>
  );
}
