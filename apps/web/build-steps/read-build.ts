import { execSync } from 'node:child_process';

/** The build's name: /about shows it, and open pages fetch it every hour. */
export function readBuild(): string {
  try {
    return execSync('git rev-parse --short=10 HEAD', { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}
