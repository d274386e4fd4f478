import { Radio as Base } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { useId } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { changeSettings, useSettings, wallpapers } from '../../../core/lib/settings.ts';
import { settingsCardClass } from '../settings-card.tsx';

/** Choice of the chat background, with previews. */
export function WallpaperCard() {
  const { t } = useTranslation('preferences');
  const { wallpaper } = useSettings();
  const id = useId();
  return (
    <section className={settingsCardClass}>
      <h2 id={id} className="mb-3 text-field font-semibold">
        {t('wallpaper.label')}
      </h2>
      <RadioGroup
        aria-labelledby={id}
        value={wallpaper}
        onValueChange={(value) => changeSettings({ wallpaper: value })}
        className="grid grid-cols-2 gap-3 sm:grid-cols-4"
      >
        {wallpapers.map((name) => (
          <label key={name} className="cursor-pointer text-center text-small">
            <Base.Root
              value={name}
              data-wallpaper={name}
              className="wallpaper mb-1.5 flex h-24 w-full items-end overflow-hidden rounded-field border-2 border-line bg-paper p-2 transition-colors data-checked:border-accent"
            >
              <span className="h-5 w-3/5 rounded-bubble rounded-bl-tail bg-surface shadow-card" />
            </Base.Root>
            {t(`wallpaper.${name}`)}
          </label>
        ))}
      </RadioGroup>
    </section>
  );
}
