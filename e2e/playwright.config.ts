import { defineConfig, devices } from '@playwright/test';

/** Debian's Chromium, told to talk to nobody but us. */
const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// Screenshots are taken when asked for by name. Workers do not see the command line; they inherit this.
if (process.argv.some((argument) => argument.includes('shots'))) process.env['SHOTS'] = 'yes';

export default defineConfig({
  testDir: '.',
  // A test that needs a second try is a bug to be found, not weather.
  retries: 0,
  // Each test that starts servers needs the machine for itself.
  workers: 1,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: { trace: 'retain-on-failure' },
  projects: [
    {
      name: 'chromium',
      testIgnore: '**/*.firefox.spec.ts',
      use: { ...devices['Desktop Chrome'], launchOptions: { executablePath: '/usr/bin/chromium', args: quietly } },
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
  ],
});
