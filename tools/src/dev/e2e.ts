import { join } from 'node:path';
import { installDebian } from '../servers/debian.ts';
import { repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';
import { unpackDebian } from '../servers/unpack-debian.ts';
import { buildAll } from './build.ts';
import { FORMER_SCREENSHOTS, FORMER_SPECS, presentName } from './former-names.ts';
import { runHere } from './programs.ts';

export const playwright = join(repoRoot, 'e2e/node_modules/.bin/playwright');
export const e2eFolder = join(repoRoot, 'e2e');

/** Installs Chromium and the browsers that the arguments of Playwright mention. */
export async function installBrowsers(args: string[]): Promise<void> {
  const mentions = (name: string): boolean => args.some((arg) => arg.includes(name));
  await installDebian([
    'postgresql-15',
    'chromium',
    'chromium-headless-shell',
    'dbus-daemon',
    ...(mentions('firefox') ? ['firefox-esr'] : []),
    ...(mentions('webkit') ? ['webkit2gtk-driver', 'xvfb'] : []),
  ]);
}

/** Without a name runs the browser tests of the gate; with one all tests of that name, nightly ones included. */
export async function runEndToEnd(name: string | undefined): Promise<number> {
  const args = name === undefined ? ['--grep-invert=@nightly|@measured'] : await chooseTests(name);
  await installBrowsers(args);
  if ((await buildAll()) !== 0) return 1;
  return await runHere(playwright, ['test', ...args], { cwd: e2eFolder });
}

export async function takeScreenshots(name: string | undefined): Promise<number> {
  await installBrowsers([]);
  if ((await buildAll()) !== 0) return 1;
  const args = [
    'test',
    '--config=screenshots/playwright.config.ts',
    ...(name === undefined ? [] : [presentName(FORMER_SCREENSHOTS, name)]),
  ];
  return await runHere(playwright, args, { cwd: e2eFolder, env: { ...process.env, ...(await findEmojiFont()) } });
}

/** Unpacks an emoji font for machines without a screen, which have none. Other programs are not affected. */
async function findEmojiFont(): Promise<NodeJS.ProcessEnv> {
  const file = 'usr/share/fonts/truetype/noto/NotoColorEmoji.ttf';
  const path = await unpackDebian({ name: 'emoji', suite: 'bookworm', package: 'fonts-noto-color-emoji', file });
  return { XDG_DATA_HOME: path.slice(0, path.indexOf('/fonts/')) };
}

/** Selects the project of that name, or files whose names contain it. */
async function chooseTests(asked: string): Promise<string[]> {
  const name = presentName(FORMER_SPECS, asked);
  const listed = await run(playwright, ['test', '--list', '--reporter=json'], { cwd: e2eFolder });
  const { config } = JSON.parse(listed) as { config: { projects: { name: string }[] } };
  return config.projects.some((project) => project.name === name) ? [`--project=${name}`] : [name];
}
