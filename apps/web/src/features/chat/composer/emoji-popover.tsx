import { type ReactNode, Suspense, useState } from 'react';
import { iconButtonClass } from '../../../ui/icon-button-class.ts';
import { lazyComponent } from '../../../ui/lazy-component.ts';

const EmojiPanel = lazyComponent(async () => (await import('./emoji-panel.tsx')).EmojiPanel);

interface EmojiPopoverProps {
  label: string;
  icon: ReactNode;
  /** Keyboard shortcut, in the syntax of `aria-keyshortcuts`. */
  shortcut?: string;
  /** Marks the reaction button of a message, so the message's shortcut can find it. */
  isReaction?: boolean;
  onPick: (emoji: string) => void;
}

/** Every message has one, so it renders only a button until it is pressed. */
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
