import { Check, Mic, Paperclip, SendHorizontal, Smile } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { isTouch } from '../../../core/lib/is-touch.ts';
import type { SendKey } from '../../../core/lib/settings.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ComposerBar } from './composer-bar.tsx';
import type { ComposerState } from './composer-state.ts';
import { countRemaining } from './count-remaining.ts';
import { EmojiPopover } from './emoji-popover.tsx';
import { fitHeight } from './fit-height.ts';
import { isSendKey } from './is-send-key.ts';
import { type Field, insertText, wrapSelection } from './wrap-selection.ts';

interface ComposerProps {
  state: ComposerState;
  text: string;
  sendKey: SendKey;
  /** Shown instead of the field when the user cannot write. */
  obstacle?: ReactNode;
  onChange: (text: string) => void;
  onSend: () => void;
  onCancel: () => void;
  onEditLast: () => void;
  onFiles: (files: File[]) => void;
  onRecord: (press: MouseEvent) => void;
}

/** Physical key codes: on a Kazakh or Russian layout the B key types И. */
const formatKeys: Partial<Record<string, string>> = { KeyB: '*', KeyI: '_', KeyE: '`' };
const NEAR_LIMIT = 500;

export function Composer(props: ComposerProps) {
  const { state, text, sendKey, obstacle, onChange, onSend, onCancel, onEditLast, onFiles, onRecord } = props;
  const { t } = useTranslation('chat');
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const rest = useMemo(() => countRemaining(text), [text]);

  // Focuses the field on opening, except on touch devices, and for a reply or an edit.
  useEffect(() => {
    if (!isTouch || state.kind !== 'idle') field.current?.focus({ preventScroll: true });
  }, [state]);

  useLayoutEffect(() => {
    if (field.current !== null) fitHeight(field.current, text);
  }, [text]);

  function write(next: Field): void {
    onChange(next.text);
    // After React has rendered the new text; earlier, the selection would apply to the old text.
    requestAnimationFrame(() => field.current?.setSelectionRange(next.from, next.to));
  }

  function readField(): Field {
    return { text, from: field.current?.selectionStart ?? text.length, to: field.current?.selectionEnd ?? text.length };
  }

  function handleSend(): void {
    if (rest >= 0) onSend();
  }

  function handleKeyDown(event: KeyboardEvent): void {
    const mark = formatKeys[event.code];
    if (isSendKey(event, sendKey, isTouch)) {
      event.preventDefault();
      handleSend();
    } else if (event.key === 'Escape' && state.kind !== 'idle') {
      event.stopPropagation();
      onCancel();
    } else if (event.key === 'ArrowUp' && !event.altKey && text === '' && state.kind === 'idle') {
      event.preventDefault();
      onEditLast();
    } else if (mark !== undefined && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      write(wrapSelection(readField(), mark));
    }
  }

  function handlePaste(event: ClipboardEvent): void {
    const files = [...event.clipboardData.files];
    // Office applications add a picture of the copied text; paste the text instead.
    if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return;
    event.preventDefault();
    onFiles(files);
  }

  if (obstacle !== undefined) return <div className="px-4 py-3">{obstacle}</div>;
  const hasText = text.trim() !== '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        handleSend();
      }}
      className="@container flex items-end gap-2 px-2 pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-4"
    >
      <div className="min-w-0 grow overflow-hidden rounded-card bg-surface shadow-card focus-within:outline-2 forced-colors:border focus-within:outline-accent">
        <ComposerBar state={state} onCancel={onCancel} />
        {/* With large text the field takes the full width and the buttons move to a second line. */}
        <div className="flex items-end px-1 @max-[17rem]:flex-wrap">
          <EmojiPopover
            label={t('composer.emoji')}
            shortcut="Alt+E"
            icon={<Smile aria-hidden className="size-6" />}
            onPick={(emoji) => write(insertText(readField(), emoji))}
          />
          <textarea
            ref={field}
            data-composer
            rows={1}
            dir="auto"
            value={text}
            aria-label={t('composer.label')}
            placeholder={t('composer.placeholder')}
            enterKeyHint={isTouch ? 'enter' : 'send'}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={handleKeyDown}
            onPaste={handlePaste}
            // At least 16 px: iOS zooms in on fields with smaller text.
            className="field-sizing-content max-h-52 min-h-11 min-w-0 grow resize-none @max-[17rem]:order-first @max-[17rem]:basis-full bg-transparent px-1 py-2.5 text-field outline-none placeholder:text-muted"
          />
          {rest < NEAR_LIMIT && (
            <span
              aria-live="polite"
              className={`figures self-center px-1 text-meta ${rest < 0 ? 'text-danger' : 'text-muted'}`}
            >
              {rest}
            </span>
          )}
          {state.kind !== 'editing' && (
            <>
              <IconButton
                label={t('composer.attach')}
                aria-keyshortcuts="Alt+U"
                icon={<Paperclip aria-hidden className="size-5.5" />}
                onClick={() => picker.current?.click()}
              />
              <input
                ref={picker}
                type="file"
                multiple
                hidden
                onChange={(event) => {
                  onFiles([...(event.target.files ?? [])]);
                  // Lets the user choose the same file again.
                  event.target.value = '';
                }}
              />
            </>
          )}
        </div>
      </div>
      {hasText || state.kind === 'editing' ? (
        <RoundButton
          type="submit"
          label={state.kind === 'editing' ? t('composer.save') : t('composer.send')}
          icon={state.kind === 'editing' ? <Check aria-hidden /> : <SendHorizontal aria-hidden className="size-5.5" />}
          isDisabled={!hasText || rest < 0}
        />
      ) : (
        <RoundButton
          label={t('composer.record')}
          shortcut="Alt+V"
          icon={<Mic aria-hidden className="size-5.5" />}
          onPress={onRecord}
        />
      )}
    </form>
  );
}

interface RoundButtonProps {
  label: string;
  icon: ReactNode;
  type?: 'submit' | 'button';
  isDisabled?: boolean;
  shortcut?: string;
  onPress?: (press: MouseEvent) => void;
}

function RoundButton({ label, icon, type = 'button', isDisabled = false, shortcut, onPress }: RoundButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={label}
      disabled={isDisabled}
      onClick={onPress}
      // Keeps the focus in the field: otherwise a phone's keyboard would close and open again.
      onPointerDown={(event) => event.preventDefault()}
      className="inline-flex size-11.5 shrink-0 items-center justify-center rounded-round bg-accent text-on-accent shadow-card transition-colors hover:bg-accent-strong disabled:opacity-50 forced-colors:border"
    >
      {icon}
    </button>
  );
}
