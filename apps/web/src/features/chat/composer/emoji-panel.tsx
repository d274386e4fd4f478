import { Popover } from '@base-ui/react/popover';
import { useState } from 'react';
import { popupClass } from '../../../ui/popup-class.ts';
import { EmojiGrid } from './emoji-grid.tsx';

interface EmojiPanelProps {
  label: string;
  /** Anchor of the panel; gets the focus back when the panel closes. */
  button: HTMLElement;
  onPick: (emoji: string) => void;
  onClosed: () => void;
}

export function EmojiPanel({ label, button, onPick, onClosed }: EmojiPanelProps) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Popover.Root
      open={isOpen}
      onOpenChange={(open) => setIsOpen(open)}
      onOpenChangeComplete={(open) => !open && onClosed()}
    >
      <Popover.Portal>
        <Popover.Positioner anchor={button} side="top" align="start" sideOffset={8} className="z-50">
          <Popover.Popup aria-label={label} finalFocus={() => button} className={popupClass}>
            <EmojiGrid
              onPick={(emoji) => {
                setIsOpen(false);
                onPick(emoji);
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
