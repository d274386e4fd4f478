import { AppError } from '@dostar/protocol/errors';
import { afterEach, expect, test, vi } from 'vitest';
import { explainError } from './explain-error.ts';
import { dismissFeedback, readFeedback } from './feedback.ts';

afterEach(dismissFeedback);

const texts = { forbidden: 'This session is too new.', other: 'Something went wrong.' };

test('an error is explained by its code, or by the explanation for others', () => {
  explainError(new AppError('forbidden'), texts);
  expect(readFeedback()).toMatchObject({ state: 'error', message: texts.forbidden });
  explainError(new AppError('unavailable'), texts);
  expect(readFeedback()).toMatchObject({ state: 'error', message: texts.other });
  explainError(new TypeError('fetch failed'), { ...texts, other: 'No connection.' });
  expect(readFeedback().message).toBe('No connection.');
});

test('an explanation can be shown elsewhere', () => {
  const forbidden = vi.fn();
  explainError(new AppError('forbidden'), { ...texts, forbidden });
  expect(forbidden).toHaveBeenCalledOnce();
  expect(readFeedback().state).toBe('idle');
});

test('nothing is shown to a person who closed the re-authentication dialog', () => {
  explainError(new AppError('reauthenticate'), texts);
  expect(readFeedback().state).toBe('idle');
});
