import { useTranslation } from '../../core/i18n/use-translation.ts';
import { useLocale } from '../../core/i18n/use-locale.ts';
import { findScreenshot } from './screenshots.ts';

interface TopicScreenshotProps {
  name: string;
  title: string;
}

// A CSS class selects the theme, so both images are in the page; the browser never loads the hidden one.
const looks = [
  { theme: 'light', className: 'dark:hidden' },
  { theme: 'dark', className: 'hidden dark:block' },
] as const;

export function TopicScreenshot({ name, title }: TopicScreenshotProps) {
  const { t } = useTranslation('tutorials');
  const { code } = useLocale();
  const screenshots = looks.map(({ theme, className }) => ({ className, src: findScreenshot(code, name, theme) }));
  if (screenshots.some(({ src }) => src === undefined)) return null;
  return (
    <div className="mt-6 shrink-0 md:mt-0">
      {screenshots.map(({ className, src }) => (
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
