import type { FactorList } from '@dostar/client/factors';
import type { FactorKind } from '@dostar/protocol/contract/second-factors';
import { Mail, MessageSquareText, Smartphone } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatDate } from '../../../core/i18n/format-date.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { Badge } from '../../../ui/badge.tsx';
import { CustomButton } from '../../../ui/custom-button.tsx';

const icons = { totp: Smartphone, email: Mail, phone: MessageSquareText };

interface FactorRowProps {
  kind: FactorKind;
  /** Undefined if the factor is off. */
  factor: FactorList['factors'][number] | undefined;
  onAdd: () => void;
  onRemove: () => void;
}

export function FactorRow({ kind, factor, onAdd, onRemove }: FactorRowProps) {
  const { t } = useTranslation('factors');
  const { code } = useLocale();
  const Icon = icons[kind];
  const name = t(`list.name.${kind}`);
  const usedAt = factor?.lastUsedAt ?? undefined;

  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
      <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent">
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="min-w-48 grow basis-0">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {factor && <Badge kind="ok">{t('list.on')}</Badge>}
        </p>
        <p className="text-small text-muted">
          {factor
            ? usedAt === undefined
              ? t('list.since', { date: formatDate(code, new Date(factor.createdAt)) })
              : t('list.lastUsed', { date: formatDate(code, new Date(usedAt)) })
            : t(`list.about.${kind}`)}
        </p>
      </div>
      {/* On a narrow screen, below the text and aligned with it. */}
      <div className="max-sm:w-full max-sm:pl-15">
        {factor ? (
          <CustomButton kind="secondary" onClick={onRemove} aria-label={t('list.turnOffNamed', { name })}>
            {t('list.turnOff')}
          </CustomButton>
        ) : (
          <CustomButton onClick={onAdd} aria-label={t('list.turnOnNamed', { name })}>
            {t('list.turnOn')}
          </CustomButton>
        )}
      </div>
    </li>
  );
}
