import { Pencil, Reply, X } from 'lucide-react';
import { useTranslation } from '../../../core/i18n/use-translation.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { ComposerState } from './composer-state.ts';

interface ComposerBarProps {
  state: ComposerState;
  onCancel: () => void;
}

/** Shows above the field which message the user answers or edits. */
export function ComposerBar({ state, onCancel }: ComposerBarProps) {
  const { t } = useTranslation('chat');
  if (state.kind !== 'replying' && state.kind !== 'editing') return null;
  const isReply = state.kind === 'replying';
  const Icon = isReply ? Reply : Pencil;
  return (
    <div className="flex items-center gap-3 border-b border-line px-4 py-1.5">
      <Icon aria-hidden className="size-5 shrink-0 text-accent" />
      <p className="min-w-0 grow border-l-3 border-accent pl-3 text-small">
        <span className="block font-semibold text-accent">
          {isReply ? t('composer.replyTo', { name: state.name }) : t('composer.editing')}
        </span>
        <span dir="auto" className="block truncate text-muted">
          {state.preview}
        </span>
      </p>
      <IconButton label={t('composer.cancel')} icon={<X aria-hidden className="size-5" />} onClick={onCancel} />
    </div>
  );
}
