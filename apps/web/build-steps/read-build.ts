import { execSync } from 'node:child_process';

/** The name of what is being built: shown on /about, asked for every hour by open pages. */
export function readBuild(): string {
  try {
    return execSync('git rev-parse --short=10 HEAD', { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}
