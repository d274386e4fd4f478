/** A page of the built site. A test that leaves complaints behind has failed, whatever else it found. */
import { expect, test as base } from './base.ts';

/** Who is this, and what has this browser begun? "Nobody" and "nothing" are answers, but a browser writes them in red. */
const QUESTIONS = ['/api/session', '/api/auth/google/sign-up'];

interface Watched {
  /** Errors of the console, refused policies and uncaught exceptions since the page was opened. */
  complaints: string[];
}

export const test = base.extend<{ watched: Watched }>({
  watched: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        const isAnswered = QUESTIONS.some((path) => message.location().url.endsWith(path));
        if (message.type() === 'error' && !isAnswered) complaints.push(message.text());
      });
      await use({ complaints });
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});
