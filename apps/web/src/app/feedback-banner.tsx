import { useTranslation } from '../core/i18n/use-translation.ts';
import { dismissFeedback, useFeedback } from '../core/lib/feedback.ts';
import { Banner } from '../ui/banner.tsx';

/** The live region stays in the page, so that a screen reader reads out new feedback. */
export function FeedbackBanner() {
  const { t } = useTranslation('shell');
  const { state, message } = useFeedback();
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-[max(0.75rem,env(safe-area-inset-top))] z-60 mx-auto flex max-w-lg px-3"
    >
      {state !== 'idle' && (
        <div className="pointer-events-auto w-full animate-rise rounded-field shadow-float">
          <Banner kind={state} dismissLabel={t('feedback.dismiss')} onDismiss={dismissFeedback}>
            {message}
          </Banner>
        </div>
      )}
    </div>
  );
}
