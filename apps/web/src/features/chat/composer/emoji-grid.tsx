import { EmojiPicker, type EmojiPickerListCategoryHeaderProps, type EmojiPickerListEmojiProps } from 'frimousse';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { useLocale } from '../../../core/i18n/use-locale.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { loadEmojiData } from './emoji-data.ts';

const groups = [
  'smileys-emotion',
  'people-body',
  'animals-nature',
  'food-drink',
  'travel-places',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const;

/** Loaded on first use: the emoji data are larger than the rest of the chat. */
export function EmojiGrid({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation('chat');
  const { code } = useLocale();

  function nameGroup(key: string): string | undefined {
    const group = groups.find((known) => known === key);
    return group && t(`emoji.${group}`);
  }

  return (
    <EmojiPicker.Root
      locale={code}
      columns={8}
      resolveEmojiData={() => loadEmojiData(code, nameGroup)}
      onEmojiSelect={({ emoji }) => onPick(emoji)}
      className="flex h-80 w-[min(22rem,calc(100vw-2rem))] flex-col"
    >
      <EmojiPicker.Search
        aria-label={t('emoji.search')}
        placeholder={t('emoji.search')}
        className="m-1 min-h-11 rounded-control bg-surface-2 px-3 text-field outline-none focus:outline-2 focus:outline-accent"
      />
      <EmojiPicker.Viewport className="min-h-0 grow outline-none">
        <EmojiPicker.Loading>
          <span className="grid gap-2 p-2">
            <Skeleton />
            <Skeleton />
            <Skeleton />
          </span>
        </EmojiPicker.Loading>
        <EmojiPicker.Empty className="absolute inset-0 flex items-center justify-center text-muted">
          {t('emoji.none')}
        </EmojiPicker.Empty>
        <EmojiPicker.List
          className="pb-1 select-none"
          components={{
            CategoryHeader,
            Emoji,
          }}
        />
      </EmojiPicker.Viewport>
    </EmojiPicker.Root>
  );
}

function CategoryHeader({ category, ...rest }: EmojiPickerListCategoryHeaderProps) {
  return (
    <div {...rest} className="bg-surface px-2 py-1.5 text-small font-semibold text-muted">
      {category.label}
    </div>
  );
}

function Emoji({ emoji, ...rest }: EmojiPickerListEmojiProps) {
  return (
    <button
      type="button"
      {...rest}
      className="flex size-10.5 items-center justify-center rounded-control text-title data-active:bg-accent-soft"
    >
      {emoji.emoji}
    </button>
  );
}
