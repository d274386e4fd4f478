import type { UnlockMethods } from '@dostar/client/account-unlock';
import { ChevronRight, Fingerprint, History, KeyRound, LockKeyhole, MonitorSmartphone, Sprout } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { formatDate } from '../../core/i18n/format-date.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';

export type UnlockMethod = 'device' | 'password' | 'oldPassword' | 'recoveryKey' | 'passkey' | 'fresh';

const icons = {
  device: MonitorSmartphone,
  password: LockKeyhole,
  oldPassword: History,
  recoveryKey: KeyRound,
  passkey: Fingerprint,
  fresh: Sprout,
};

function listUnlockMethods({
  hasPassword,
  hasRecoveryKey,
  hasPasskey,
  oldPasswordUntil,
}: UnlockMethods): UnlockMethod[] {
  return [
    ...(hasPassword ? (['password'] as const) : []),
    'device',
    ...(oldPasswordUntil === undefined ? [] : (['oldPassword'] as const)),
    ...(hasRecoveryKey ? (['recoveryKey'] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
    'fresh',
  ];
}

export function UnlockMethodList({
  methods,
  onChoose,
}: {
  methods: UnlockMethods;
  onChoose: (method: UnlockMethod) => void;
}) {
  const { t } = useTranslation('recovery');
  const { code } = useLocale();
  const until = formatDate(code, new Date(methods.oldPasswordUntil ?? 0));
  return (
    <ul className="flex flex-col gap-3">
      {listUnlockMethods(methods).map((method) => {
        const Icon = icons[method];
        return (
          <li key={method}>
            <button
              type="button"
              onClick={() => onChoose(method)}
              className="flex min-h-18 w-full items-center gap-4 rounded-field border border-line bg-surface px-4 py-3 text-left shadow-card transition-colors hover:bg-surface-2"
            >
              <Icon aria-hidden className="size-6 shrink-0 text-accent" />
              <span className="min-w-0 grow">
                <span className="block font-semibold">{t(`ways.${method}.title`)}</span>
                <span className="block text-small text-muted">{t(`ways.${method}.text`, { date: until })}</span>
              </span>
              <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
