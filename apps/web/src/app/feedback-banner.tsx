import { dismissFeedback, useFeedback } from '../core/feedback.ts';

export function FeedbackBanner() {
  const { state, message } = useFeedback();
  return (
    <div role="status">
      {state !== 'idle' && (
        <button type="button" onClick={dismissFeedback}>
          {message}
        </button>
      )}
    </div>
  );
}
