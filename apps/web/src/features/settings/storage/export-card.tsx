import type { Client } from '@dostar/client';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { showFeedback, successDuration } from '../../../core/lib/feedback.ts';
import { saveFile } from '../../../core/lib/save-file.ts';
import { formatNumber } from '../../../core/i18n/format-number.ts';
import { usePeople } from '../../../core/messenger/people.ts';
import { useSession } from '../../../core/session/session.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { productName } from '../../../product.ts';
import { CustomButton } from '../../../ui/custom-button.tsx';
import { SettingsCard } from '../settings-card.tsx';
import { collectData, type OwnData } from './collect-data.ts';
import { renderExportPage } from './render-export-page.ts';

/** Exports the account's data in this browser as files. */
export function ExportCard({ client }: { client: Client }) {
  const { t } = useTranslation('preferences');
  const { t: say } = useTranslation('said');
  const { code } = useLocale();
  const session = useSession();
  const people = usePeople(client);
  const [count, setCount] = useState<number>();

  async function handleSave(kind: 'json' | 'html'): Promise<void> {
    if (people === undefined || session.status !== 'signed-in') return;
    setCount(0);
    try {
      const data = await collectData(client, people, { account: session.account, say, onCount: setCount });
      save(kind, data);
      showFeedback('success', t('export.done'), successDuration);
    } catch {
      showFeedback('error', t('export.failed'));
    } finally {
      setCount(undefined);
    }
  }

  function save(kind: 'json' | 'html', data: OwnData): void {
    const text = kind === 'json' ? JSON.stringify(data, undefined, 2) : renderExportPage(data, { t, code });
    const type = kind === 'json' ? 'application/json' : 'text/html';
    saveFile(`${productName.toLowerCase()}-${data.exportedAt.slice(0, 10)}.${kind}`, text, type);
  }

  return (
    <SettingsCard title={t('export.title')} text={t('export.text')}>
      <ul className="mb-4 list-disc space-y-1 pl-5">
        <li>{t('export.files')}</li>
        <li>{t('export.careful')}</li>
      </ul>
      <div className="flex flex-wrap gap-3">
        {(['html', 'json'] as const).map((kind) => (
          <CustomButton
            key={kind}
            kind="secondary"
            title={t(`export.${kind}Hint`)}
            icon={<Download aria-hidden className="size-5" />}
            isWaiting={count !== undefined}
            onClick={() => void handleSave(kind)}
          >
            {t(`export.${kind}`)}
          </CustomButton>
        ))}
      </div>
      <p role="status" className="mt-3 text-muted empty:mt-0">
        {count !== undefined && t('export.busy', { number: formatNumber(code, count) })}
      </p>
    </SettingsCard>
  );
}
