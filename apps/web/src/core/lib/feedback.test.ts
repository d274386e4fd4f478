import { afterEach, expect, it, vi } from 'vitest';
import { dismissFeedback, feedbackDuration, readFeedback, showFeedback } from './feedback.ts';

afterEach(() => {
  dismissFeedback();
  vi.useRealTimers();
});

it('feedback goes back to idle after a minute, or after its own duration', () => {
  vi.useFakeTimers();
  showFeedback('error', 'Failed to sign in');
  vi.advanceTimersByTime(feedbackDuration - 1);
  expect(readFeedback()).toMatchObject({ state: 'error', message: 'Failed to sign in' });
  vi.advanceTimersByTime(1);
  expect(readFeedback().state).toBe('idle');
});

it('the timer of earlier feedback does not end later feedback', () => {
  vi.useFakeTimers();
  showFeedback('success', 'one', 5000);
  vi.advanceTimersByTime(4000);
  showFeedback('success', 'two', 5000);
  vi.advanceTimersByTime(4000);
  expect(readFeedback().message).toBe('two');
});
