import { CheckCheck, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../core/i18n/use-translation.ts';
import { Steppe } from '../../ui/art/steppe.tsx';

interface OwnBubbleProps {
  time: string;
  children: ReactNode;
}

/** Fixed width: the bubble is right-aligned, so a late font or text would move its left edge. */
function OwnBubble({ time, children }: OwnBubbleProps) {
  return (
    <div className="relative w-[85%] self-end rounded-bubble rounded-br-tail bg-own px-3.5 py-2 text-own-text shadow-card">
      {children}
      <span className="figures float-right mt-1.5 ml-3 flex items-center gap-1 text-meta text-own-meta">
        {time}
        <CheckCheck className="size-4 text-accent" />
      </span>
    </div>
  );
}

/** Sample conversation. Screen readers see one labelled image. */
export function ChatPreview() {
  const { t } = useTranslation('landing');
  return (
    <div
      role="img"
      aria-label={t('sample.label')}
      className="overflow-hidden rounded-card border border-line shadow-card"
    >
      <div aria-hidden>
        <div className="flex items-center gap-3 border-b border-line bg-surface px-4 py-3">
          <span className="relative">
            <span className="flex size-11 items-center justify-center rounded-round bg-avatar-0 font-semibold text-on-avatar">
              {t('sample.name').charAt(0)}
            </span>
            <span className="absolute -right-0.5 -bottom-0.5 size-3.5 rounded-round border-2 border-surface bg-presence" />
          </span>
          <span>
            <span className="flex items-center gap-2 font-semibold">
              {t('sample.name')}
              <Lock className="size-3.5 text-accent" />
            </span>
            <span className="block text-small text-muted">{t('sample.seen')}</span>
          </span>
        </div>
        <div className="ornament flex flex-col gap-2.5 bg-paper p-4 pb-28 sm:p-5 sm:pb-24">
          <OwnBubble time="14:02">{t('sample.first')}</OwnBubble>
          <div className="relative mb-3 w-[70%] self-start rounded-bubble rounded-bl-tail bg-other p-1.5 shadow-card">
            <Steppe className="aspect-16/10 w-full rounded-control" />
            <p className="figures flow-root px-2 pt-1.5 pb-1.5">
              {t('sample.caption')}
              <span className="float-right mt-1.5 ml-3 text-meta text-muted">14:11</span>
            </p>
            <span className="absolute -bottom-3.5 left-3 rounded-round border border-line bg-surface px-2 text-small">
              ❤️ 2
            </span>
          </div>
          <OwnBubble time="14:15">{t('sample.answer')}</OwnBubble>
        </div>
      </div>
    </div>
  );
}
