import { join } from 'node:path';
import { installDebian } from '../servers/debian.ts';
import { repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';
import { buildAll } from './build.ts';
import { runHere } from './programs.ts';

export const playwright = join(repoRoot, 'e2e/node_modules/.bin/playwright');
export const e2eFolder = join(repoRoot, 'e2e');

export async function installBrowsers(): Promise<void> {
  await installDebian(['postgresql-15', 'chromium', 'chromium-headless-shell', 'dbus-daemon', 'firefox-esr']);
}

export async function runEndToEnd(name: string | undefined): Promise<number> {
  await installBrowsers();
  if (name?.includes('webkit')) await installDebian(['webkit2gtk-driver', 'xvfb']);
  if ((await buildAll()) !== 0) return 1;
  return await runHere(playwright, ['test', ...(await chooseTests(name))], { cwd: e2eFolder });
}

/** A project of the configuration if there is one of that name, otherwise a part of a file's name. */
async function chooseTests(name: string | undefined): Promise<string[]> {
  if (name === undefined) return [];
  const listed = await run(playwright, ['test', '--list', '--reporter=json'], { cwd: e2eFolder });
  const { config } = JSON.parse(listed) as { config: { projects: { name: string }[] } };
  return config.projects.some((project) => project.name === name) ? ['--project', name] : [name];
}
