import { BellRing, Lock, MonitorSmartphone, WifiOff } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Section } from './section.tsx';

const features = [
  { key: 'private', icon: Lock },
  { key: 'history', icon: MonitorSmartphone },
  { key: 'offline', icon: WifiOff },
  { key: 'rings', icon: BellRing },
] as const;

export function FeatureCards() {
  const { t } = useTranslation('landing');
  return (
    <Section title={t('features.title')}>
      <ul className="mt-8 grid gap-4 sm:grid-cols-2 lg:gap-5 xl:grid-cols-4">
        {features.map(({ key, icon: Icon }) => (
          <li key={key} className="rounded-card border border-line bg-surface p-6 shadow-card">
            <span className="flex size-12 items-center justify-center rounded-field bg-accent-soft text-accent">
              <Icon aria-hidden className="size-6" />
            </span>
            <h3 className="mt-5 text-subtitle font-semibold">{t(`features.${key}.title`)}</h3>
            <p className="mt-1.5 text-muted">{t(`features.${key}.text`)}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
