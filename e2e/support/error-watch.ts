/** A page of the built site. A test that leaves complaints behind has failed, whatever else it found. */
import { expect, test as base } from './base.ts';

/** Expected refusals: a visitor's session check and empty look-ups are answers, but a browser logs them as errors. */
const PATHS_ALLOWED_TO_FAIL = ['/api/session', '/api/auth/google/sign-up'];

interface ErrorWatch {
  /** Errors of the console, refused policies and uncaught exceptions since the page was opened. */
  errors: string[];
}

export const test = base.extend<{ watched: ErrorWatch }>({
  watched: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        const isExpected = PATHS_ALLOWED_TO_FAIL.some((path) => message.location().url.endsWith(path));
        if (message.type() === 'error' && !isExpected) errors.push(message.text());
      });
      await use({ errors });
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});
