import { useTranslation } from 'react-i18next';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { findShot } from './shots.ts';

interface TopicShotProps {
  name: string;
  title: string;
}

// The theme is a class on the page, so both pictures stand there; the hidden one is never loaded.
const looks = [
  { theme: 'light', className: 'dark:hidden' },
  { theme: 'dark', className: 'hidden dark:block' },
] as const;

export function TopicShot({ name, title }: TopicShotProps) {
  const { t } = useTranslation('tutorials');
  const { code } = useLocale();
  const shots = looks.map(({ theme, className }) => ({ className, src: findShot(code, name, theme) }));
  if (shots.some(({ src }) => src === undefined)) return null;
  return (
    <div className="mt-6 shrink-0 md:mt-0">
      {shots.map(({ className, src }) => (
        <img
          key={className}
          src={src}
          alt={t('shot', { title })}
          width={195}
          height={422}
          loading="lazy"
          decoding="async"
          className={`rounded-card border border-line shadow-card ${className}`}
        />
      ))}
    </div>
  );
}
