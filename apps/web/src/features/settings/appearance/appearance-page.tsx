import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { Link, useLocation, useNavigate } from 'react-router';
import { chooseLanguage } from '../../../core/i18n/choose-language.ts';
import { type LocaleCode, locales, localisePath } from '../../../core/i18n/locale.ts';
import { pageMeta } from '../../../core/lib/page-meta.ts';
import { changeSettings, type TextSize, type ThemeMode, useSettings } from '../../../core/lib/settings.ts';
import { loadRequestedTexts, requestTexts } from '../../../core/i18n/texts.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { Radio, RadioGroup } from '../../../ui/radio.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { SettingsCard, settingsCardClass } from '../settings-card.tsx';
import { SettingsHeading } from '../settings-heading.tsx';
import { ShortcutsCard } from './shortcuts-card.tsx';
import { WallpaperCard } from './wallpaper-card.tsx';

await requestTexts('settings', 'preferences');

export const meta = pageMeta('settings', 'settings');

const themes: readonly ThemeMode[] = ['auto', 'light', 'dark'];
const sizes: readonly TextSize[] = ['small', 'normal', 'large'];

export default function AppearancePage() {
  const { t } = useTranslation('settings');
  const settings = useSettings();
  const current = useLocale();
  const { pathname } = useLocation();
  const navigate = useNavigate();

  async function handleLanguage(code: LocaleCode): Promise<void> {
    chooseLanguage(code);
    await loadRequestedTexts(code);
    await navigate(localisePath(code, pathname), { preventScrollReset: true });
  }

  return (
    <>
      <SettingsHeading title={t('pages.settings.title')} lead={t('kept')} />
      <section className={`${settingsCardClass} grid gap-x-10 gap-y-6 sm:grid-cols-2`} aria-label={t('appearance')}>
        <RadioGroup
          label={t('theme.label')}
          value={settings.theme}
          onValueChange={(theme) => changeSettings({ theme })}
        >
          {themes.map((theme) => (
            <Radio key={theme} value={theme}>
              {t(`theme.${theme}`)}
            </Radio>
          ))}
        </RadioGroup>
        <RadioGroup
          label={t('textSize.label')}
          value={settings.textSize}
          onValueChange={(textSize) => changeSettings({ textSize })}
        >
          {sizes.map((size) => (
            <Radio key={size} value={size}>
              {t(`textSize.${size}`)}
            </Radio>
          ))}
        </RadioGroup>
        <p className="rounded-bubble rounded-bl-tail bg-surface-2 px-4 py-2.5 sm:col-span-2 sm:w-fit">
          {t('textSize.sample')}
        </p>
        <div className="border-t border-line pt-3 sm:col-span-2">
          <Switch
            hint={t('motion.hint')}
            checked={settings.reduceMotion}
            onCheckedChange={(reduceMotion) => changeSettings({ reduceMotion })}
          >
            {t('motion.label')}
          </Switch>
        </div>
      </section>
      <WallpaperCard />
      <SettingsCard title={t('language')}>
        <ul className="-mx-2">
          {locales.map(({ code, tag, name }) => (
            <li key={code}>
              <Link
                to={localisePath(code, pathname)}
                lang={tag}
                hrefLang={tag}
                aria-current={code === current.code || undefined}
                onClick={(event) => {
                  event.preventDefault();
                  void handleLanguage(code);
                }}
                className="flex min-h-11 items-center rounded-control px-2 transition-colors hover:bg-surface-2 aria-current:font-semibold aria-current:text-accent"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </SettingsCard>
      <ShortcutsCard />
    </>
  );
}
