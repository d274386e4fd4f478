import { Moon, Sun } from 'lucide-react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { changeSettings } from '../core/lib/settings.ts';
import { showDark } from '../core/lib/theme.ts';
import { iconButtonClass } from '../ui/icon-button-class.ts';

function handleToggle(): void {
  const dark = !document.documentElement.classList.contains('dark');
  changeSettings({ theme: dark ? 'dark' : 'light' });
  showDark(dark);
}

// The class on <html> chooses the icon and the text, so the button is right before any script has run.
export function ThemeToggle() {
  const { t } = useTranslation('shell');
  return (
    <button type="button" onClick={handleToggle} className={iconButtonClass}>
      <span className="dark:hidden">
        <Sun aria-hidden className="size-5" />
        <span className="sr-only">{t('theme.toDark')}</span>
      </span>
      <span className="hidden dark:inline">
        <Moon aria-hidden className="size-5" />
        <span className="sr-only">{t('theme.toLight')}</span>
      </span>
    </button>
  );
}
