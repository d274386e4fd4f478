import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { cx } from '../../../ui/cx.ts';

interface ReactionCount {
  emoji: string;
  count: number;
  isOwn: boolean;
}

interface ReactionsProps {
  reactions: readonly ReactionCount[];
  onPress: (emoji: string) => void;
}

/** Reactions at the bottom edge of a message; a press adds or removes the user's own. */
export function Reactions({ reactions, onPress }: ReactionsProps) {
  const { t } = useTranslation('chat');
  if (reactions.length === 0) return null;
  return (
    <div className="-mb-4 flex translate-y-1 flex-wrap gap-1 pb-1">
      {reactions.map(({ emoji, count, isOwn }) => (
        <button
          key={emoji}
          type="button"
          aria-pressed={isOwn}
          aria-label={t('message.reaction', { emoji, count })}
          onClick={() => onPress(emoji)}
          className={cx(
            'figures inline-flex min-h-7 items-center gap-1 rounded-round border px-2 text-small',
            isOwn ? 'border-accent bg-accent-soft text-accent-strong' : 'border-line bg-surface text-text',
          )}
        >
          <span aria-hidden>{emoji}</span>
          {count > 1 && <span aria-hidden>{count}</span>}
        </button>
      ))}
    </div>
  );
}
