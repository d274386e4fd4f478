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

/** Notices, pushes and background sync are the whole browser's, and so is the say in what a page looks like. */
const fullBrowserTests = ['**/pwa*.spec.ts', '**/app-lock.spec.ts', '**/public-site-pages.spec.ts'];
const chrome = devices['Desktop Chrome'];

export default defineConfig({
  testDir: '.',
  globalSetup: join(import.meta.dirname, 'support/global-setup.ts'),
  // A test that needs a second try is a bug to be found, not weather.
  retries: 0,
  // What ends a test that waits in vain: a busy machine may take its time. Speed is judged by its own tests.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // Each file has people of its own, so files share the stack.
  workers: 2,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  // A trace of every test, kept for those that fail, costs half as much again as the tests: `--trace on` when hunting.
  use: {
    screenshot: 'only-on-failure',
    // Animations only cost time here.
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
      // The same engine without a window's machinery, for six tenths of the processor time of the whole. Installing the
      // service worker in each new context would cost another fifth: chat.spec.ts, public-site-shell.spec.ts, what is
      // measured and the project above run with it.
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
      // Debian's WebKitGTK by WebDriver; its partner in the conversation is Chromium.
      name: 'webkit',
      testMatch: '**/*-webkit.spec.ts',
      use: {
        ...chrome,
        launchOptions: { executablePath: '/usr/bin/chromium-headless-shell', args: chromiumArguments },
      },
    },
  ],
});
