/** A page of the built site whose test fails if the page logs errors. */
import { expect, test as base } from './base.ts';

/** Expected refusals that a browser logs as errors, such as a visitor's session check. */
const PATHS_ALLOWED_TO_FAIL = ['/api/session', '/api/auth/google/sign-up'];

interface ErrorWatch {
  /** Console errors, policy violations and uncaught exceptions since the page was opened. */
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
