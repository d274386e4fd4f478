import { BadgeCheck, History, KeyRound, Lock, ScanLine } from 'lucide-react';
import { useTranslation } from '../../core/i18n/use-translation.ts';

const cards = [
  { icon: Lock, title: 'encryption.lock.title', text: 'encryption.lock.text' },
  { icon: KeyRound, title: 'encryption.password.title', text: 'encryption.password.text' },
  { icon: History, title: 'encryption.history.title', text: 'encryption.history.text' },
  { icon: ScanLine, title: 'encryption.person.title', text: 'encryption.person.text' },
  { icon: BadgeCheck, title: 'encryption.known.title', text: 'encryption.known.text' },
] as const;

export function EncryptionCards() {
  const { t } = useTranslation('about');
  return (
    <ul className="mt-5 grid gap-4 md:grid-cols-2">
      {cards.map(({ icon: Icon, title, text }) => (
        <li key={title} className="flex gap-4 rounded-card bg-surface p-5 shadow-card">
          <span className="flex size-11 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent">
            <Icon aria-hidden className="size-5.5" />
          </span>
          <div className="min-w-0">
            <h3 className="text-subtitle font-semibold">{t(title)}</h3>
            <p className="mt-1.5 text-muted">{t(text)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
