import { ArrowDown, ArrowLeft, ArrowUp, List, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import type { People } from '../../../core/messenger/people.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { FoundList } from './found-list.tsx';
import type { useChatSearch } from './use-chat-search.ts';

interface SearchBarProps {
  search: ReturnType<typeof useChatSearch>;
  people: People;
}

/** Replaces the header during a search in this chat. The up button goes to older messages, as in the timeline. */
export function SearchBar({ search, people }: SearchBarProps) {
  const { t } = useTranslation('chat');
  const { t: tUi } = useTranslation('ui');
  const [isListed, setIsListed] = useState(true);
  const { query, all, index, goTo } = search;
  const count = all?.length ?? 0;

  function step(by: 1 | -1): void {
    setIsListed(false);
    goTo(isListed && index === 0 && by === 1 ? 0 : index + by);
  }

  function handleKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') search.close();
    else if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    else if (event.key === 'ArrowUp') step(1);
    else if (event.key === 'ArrowDown') step(-1);
    else return;
    event.preventDefault();
  }

  return (
    <div role="search" aria-label={t('search.label')} className="relative z-10 shrink-0 bg-surface">
      <div className="flex min-h-15.5 items-center gap-1 border-b border-line px-2 pt-[env(safe-area-inset-top)] sm:px-4">
        <IconButton
          label={t('search.close')}
          icon={<ArrowLeft aria-hidden className="size-6 text-accent" />}
          onClick={search.close}
        />
        <div className="relative min-w-0 grow">
          <input
            type="search"
            // The user opened the search to type in this field.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            aria-label={t('search.field')}
            placeholder={tUi('search')}
            value={query}
            onChange={(event) => {
              search.setQuery(event.target.value);
              setIsListed(true);
            }}
            onKeyDown={handleKeyDown}
            className="h-11 w-full appearance-none rounded-field bg-surface-2 pr-3 pl-4 text-field outline-offset-0 placeholder:text-muted [&::-webkit-search-cancel-button]:hidden"
          />
        </div>
        <p role="status" className="figures shrink-0 px-1 text-small text-muted">
          {all !== undefined && (count === 0 ? t('search.none') : t('search.place', { place: index + 1, count }))}
        </p>
        {query !== '' && count === 0 && (
          <IconButton
            label={t('search.clear')}
            icon={<X aria-hidden className="size-5" />}
            onClick={() => search.setQuery('')}
          />
        )}
        {count > 0 && (
          <>
            <IconButton
              label={t('search.older')}
              icon={<ArrowUp aria-hidden className="size-5" />}
              disabled={index >= count - 1 && !isListed}
              onClick={() => step(1)}
            />
            <IconButton
              label={t('search.newer')}
              icon={<ArrowDown aria-hidden className="size-5" />}
              disabled={index === 0}
              onClick={() => step(-1)}
            />
            <span className="max-sm:hidden">
              <IconButton
                label={t('search.list')}
                aria-expanded={isListed}
                icon={<List aria-hidden className="size-5" />}
                onClick={() => setIsListed(!isListed)}
              />
            </span>
          </>
        )}
      </div>
      {isListed && all !== undefined && count > 0 && (
        <FoundList
          found={all}
          people={people}
          onChoose={(chosen) => {
            setIsListed(false);
            goTo(chosen);
          }}
        />
      )}
    </div>
  );
}
