/** `./dev shots`: pictures for a visual review. With `SHOTS` set some tests take pictures too. */
import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

process.env['SHOTS'] = 'yes';

export default defineConfig({
  ...base,
  testDir: '..',
  workers: 1,
  projects: (base.projects ?? []).flatMap((project) =>
    project.name === 'chromium'
      ? [
          {
            ...project,
            testIgnore: [],
            testMatch: ['**/screenshots/*.spec.ts', '**/accounts-code.spec.ts', '**/tests/profile/profile.spec.ts'],
          },
        ]
      : project.name === 'chromium-whole'
        ? [{ ...project, testMatch: ['pwa-install.spec.ts'] }]
        : [],
  ),
});
