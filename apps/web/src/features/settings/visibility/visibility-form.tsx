import type { Client } from '@dostar/client';
import type { Privacy } from '@dostar/protocol/contract/privacy';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { useLive } from '../../../core/lib/use-live.ts';
import { Radio, RadioGroup } from '../../../ui/radio.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { SettingsCard, settingsCardClass } from '../settings-card.tsx';

interface VisibilityFormProps {
  client: Client;
  /** Changes that the server has not confirmed yet. */
  pending: Partial<Privacy>;
  onChange: (changes: Partial<Privacy>) => void;
}

const viewers: readonly Privacy['lastSeen'][] = ['everybody', 'contacts', 'nobody'];
const writers: readonly Privacy['writers'][] = ['everybody', 'contacts'];

export function VisibilityForm({ client, pending, onChange }: VisibilityFormProps) {
  const { t } = useTranslation('preferences');
  const kept = useLive(client.live.privacy());
  if (kept === undefined) return <Skeleton className="h-40" />;
  const privacy = { ...kept, ...pending };
  return (
    <>
      <section className={settingsCardClass}>
        <RadioGroup
          label={t('lastSeen.label')}
          value={privacy.lastSeen}
          onValueChange={(lastSeen) => onChange({ lastSeen })}
        >
          {viewers.map((viewer) => (
            <Radio key={viewer} value={viewer}>
              {t(`lastSeen.${viewer}`)}
            </Radio>
          ))}
        </RadioGroup>
      </section>
      <section className={settingsCardClass}>
        <RadioGroup
          label={t('writers.label')}
          value={privacy.writers}
          onValueChange={(writer) => onChange({ writers: writer })}
        >
          {writers.map((writer) => (
            <Radio key={writer} value={writer}>
              {t(`writers.${writer}`)}
            </Radio>
          ))}
        </RadioGroup>
      </section>
      <SettingsCard title={t('signals.title')}>
        <Switch
          hint={t('signals.receiptsHint')}
          checked={privacy.receipts}
          onCheckedChange={(receipts) => onChange({ receipts })}
        >
          {t('signals.receipts')}
        </Switch>
        <Switch
          hint={t('signals.typingHint')}
          checked={privacy.typing}
          onCheckedChange={(typing) => onChange({ typing })}
        >
          {t('signals.typing')}
        </Switch>
      </SettingsCard>
    </>
  );
}
