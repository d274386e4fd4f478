import { useTranslation } from '../../../core/i18n/use-translation.ts';

interface QuoteProps {
  /** Undefined if the quoted message is deleted or not on this device. */
  said?: { name: string; preview: string };
  onPress: () => void;
}

/** The quoted message; a press scrolls to it. */
export function Quote({ said, onPress }: QuoteProps) {
  const { t } = useTranslation('chat');
  if (said === undefined) {
    return (
      <p className="mb-1 border-l-3 border-current/30 pl-2.5 text-small italic opacity-70">{t('message.quoteGone')}</p>
    );
  }
  return (
    <button
      type="button"
      onClick={onPress}
      className="mb-1 block w-full min-w-0 rounded-chip border-l-3 border-accent bg-accent/12 px-2.5 py-1 text-left text-small"
    >
      <span className="block truncate font-semibold text-accent-strong">{said.name}</span>
      <span dir="auto" className="block truncate">
        {said.preview}
      </span>
    </button>
  );
}
