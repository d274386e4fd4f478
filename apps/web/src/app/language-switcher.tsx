import { Check, ChevronDown } from 'lucide-react';
import { type MouseEvent, useId } from 'react';
import { useTranslation } from '../core/i18n/use-translation.ts';
import { Link, useLocation, useNavigate } from 'react-router';
import { chooseLanguage } from '../core/i18n/choose-language.ts';
import { type LocaleCode, locales, localisePath } from '../core/i18n/locale.ts';
import { loadRequestedTexts } from '../core/i18n/texts.ts';
import { useLocale } from '../core/i18n/use-locale.ts';
import { useDisclosure } from './use-disclosure.ts';

/** Links to this page in the other languages; they work before any script has run. */
export function LanguageSwitcher() {
  const { t } = useTranslation('shell');
  const current = useLocale();
  const location = useLocation();
  const navigate = useNavigate();
  const listId = useId();
  const { isOpen, toggle, close, containerRef } = useDisclosure();

  async function handleChoose(event: MouseEvent, code: LocaleCode): Promise<void> {
    event.preventDefault();
    chooseLanguage(code);
    close();
    await loadRequestedTexts(code);
    const to = localisePath(code, location.pathname) + location.search + location.hash;
    await navigate(to, { preventScrollReset: true, state: location.state });
  }

  return (
    <div ref={containerRef} className="relative">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={toggle}
        className="flex min-h-11 items-center gap-1 rounded-control px-2.5 font-semibold text-muted transition-colors hover:bg-surface-2 hover:text-text"
      >
        {/* A fixed width: a font that loads late must not move the header. */}
        <span className="w-[2.25rem] text-center">{current.short}</span>
        <span className="sr-only">{t('language.change', { name: current.name })}</span>
        <ChevronDown aria-hidden className="size-4" />
      </button>
      <ul
        id={listId}
        hidden={!isOpen}
        className="absolute top-full right-0 z-30 mt-1.5 w-44 rounded-field border border-line bg-surface p-1.5 shadow-float"
      >
        {locales.map(({ code, tag, name }) => (
          <li key={code}>
            <Link
              to={localisePath(code, location.pathname)}
              lang={tag}
              hrefLang={tag}
              aria-current={code === current.code || undefined}
              onClick={(event) => void handleChoose(event, code)}
              className="flex min-h-11 items-center justify-between rounded-control px-3 transition-colors hover:bg-accent-soft"
            >
              {name}
              {code === current.code && <Check aria-hidden className="size-4.5 text-accent" />}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
