import { Menu } from '@base-ui/react/menu';

const usual = ['❤️', '👍', '😂', '😮', '😢', '🙏'] as const;

/** The six most common reactions, at the top of the menu. */
export function QuickReactions({ onPick }: { onPick: (emoji: string) => void }) {
  return (
    <div className="flex flex-wrap border-b border-line pb-1">
      {usual.map((emoji) => (
        <Menu.Item
          key={emoji}
          onClick={() => onPick(emoji)}
          className="flex size-11 cursor-default items-center justify-center rounded-control text-title outline-none data-highlighted:bg-accent-soft"
        >
          {emoji}
        </Menu.Item>
      ))}
    </div>
  );
}
