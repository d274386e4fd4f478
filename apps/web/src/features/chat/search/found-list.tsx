import type { SearchResult } from '@dostar/client';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { formatDay } from '../../../core/i18n/format-date.ts';
import { MatchedText } from '../../../ui/matched-text.tsx';
import type { People } from '../../../core/messenger/people.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { useNow } from '../../../core/lib/use-now.ts';
import { useChat } from '../chat-context.ts';

interface FoundListProps {
  found: readonly SearchResult[];
  people: People;
  onChoose: (index: number) => void;
}

/** Search results with the text around each match. */
export function FoundList({ found, people, onChoose }: FoundListProps) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();
  const { me } = useChat();
  const now = useNow();
  return (
    <ul
      aria-label={t('search.results')}
      className="absolute inset-x-0 top-full max-h-[min(24rem,50dvh)] overflow-y-auto border-b border-line bg-surface px-2 py-1 shadow-float"
    >
      {found.map(({ message, snippet }, index) => (
        <li key={`${message.sender}/${message.id}`}>
          <button
            type="button"
            onClick={() => onChoose(index)}
            className="block w-full rounded-control px-3 py-2 text-left hover:bg-surface-2 focus-visible:outline-offset-[-2px]"
          >
            <span className="flex items-baseline justify-between gap-3 text-small">
              <span className="truncate font-semibold">
                {message.sender === me ? t('message.you') : (people.nameOf(message.sender) ?? t('header.unknown'))}
              </span>
              <span className="figures shrink-0 text-muted">
                {formatDay(code, new Date(message.at), new Date(now))}
              </span>
            </span>
            <span dir="auto" className="line-clamp-2 text-body">
              <MatchedText text={snippet.text} matches={snippet.matches} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
