import { join } from 'node:path';
import { defineConfig, devices } from '@playwright/test';

/** Debian's Chromium, which may connect to our servers only. */
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A fake microphone and camera.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
];

/** Tests that need the full browser: notifications, pushes, background sync, and effects of rendering. */
const fullBrowserTests = ['**/pwa*.spec.ts', '**/app-lock.spec.ts', '**/public-site-pages.spec.ts'];
const chrome = devices['Desktop Chrome'];

export default defineConfig({
  testDir: '.',
  globalSetup: join(import.meta.dirname, 'support/global-setup.ts'),
  // A test that passes only on a retry is a bug.
  retries: 0,
  // Generous, because a busy machine is slow. Speed has its own tests.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // Each file has its own accounts, so files share the stack.
  workers: 2,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  // No traces: recording them makes the tests half as long again. Use `--trace on` to debug.
  use: {
    screenshot: 'only-on-failure',
    // Animations only cost time in tests.
    contextOptions: { reducedMotion: 'reduce' },
  },
  projects: [
    {
      name: 'chromium-whole',
      testMatch: fullBrowserTests,
      testIgnore: '**/screenshots/**',
      use: { ...chrome, launchOptions: { executablePath: '/usr/bin/chromium', args: chromiumArguments } },
    },
    {
      // The headless shell takes six tenths of the processor time of the full browser. Installing the service worker in
      // each new context would cost another fifth, so only chat.spec.ts, public-site-shell.spec.ts, the measured tests
      // and the project above allow it.
      name: 'chromium',
      testIgnore: ['**/*.firefox.spec.ts', '**/*-webkit.spec.ts', '**/screenshots/**', ...fullBrowserTests],
      use: {
        ...chrome,
        serviceWorkers: 'block',
        launchOptions: { executablePath: '/usr/bin/chromium-headless-shell', args: chromiumArguments },
      },
    },
    {
      // Debian's Firefox ESR, driven by WebDriver BiDi.
      name: 'firefox',
      testMatch: '**/*.firefox.spec.ts',
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: { executablePath: '/usr/bin/firefox-esr', timeout: 60_000 },
      },
    },
    {
      // Debian's WebKitGTK by WebDriver; the other user's browser is Chromium.
      name: 'webkit',
      testMatch: '**/*-webkit.spec.ts',
      use: {
        ...chrome,
        launchOptions: { executablePath: '/usr/bin/chromium-headless-shell', args: chromiumArguments },
      },
    },
  ],
});
