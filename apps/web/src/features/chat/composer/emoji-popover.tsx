import { type ReactNode, Suspense, useState } from 'react';
import { iconButtonClass } from '../../../ui/icon-button-class.ts';
import { lazyComponent } from '../../../ui/lazy-component.ts';

const EmojiPanel = lazyComponent(async () => (await import('./emoji-panel.tsx')).EmojiPanel);

interface EmojiPopoverProps {
  label: string;
  icon: ReactNode;
  /** The key that presses it, as `aria-keyshortcuts` names it. */
  shortcut?: string;
  /** It reacts to a message: the message's own key finds it by this. */
  isReaction?: boolean;
  onPick: (emoji: string) => void;
}

/** Every message has one: until it is pressed it is a button and nothing more. */
export function EmojiPopover({ label, icon, shortcut, isReaction = false, onPick }: EmojiPopoverProps) {
  const [button, setButton] = useState<HTMLElement>();
  return (
    <>
      <button
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={button !== undefined}
        aria-keyshortcuts={shortcut}
        data-react={isReaction || undefined}
        data-popup-open={button !== undefined || undefined}
        title={label}
        onClick={(event) => setButton(event.currentTarget)}
        className={iconButtonClass}
      >
        {icon}
      </button>
      {button && (
        <Suspense>
          <EmojiPanel label={label} button={button} onPick={onPick} onClosed={() => setButton(undefined)} />
        </Suspense>
      )}
    </>
  );
}
