import { repoRoot } from '../servers/folders.ts';
import { run } from '../servers/run.ts';
import { ports, samplePeopleMarker } from './stack.ts';

/** Creates people with chats to sign in to. Returns instructions for signing in. */
export function createSamplePeople(): Promise<string> {
  const args = [
    'e2e/sample-people/main.ts',
    `http://localhost:${ports.web}`,
    `http://127.0.0.1:${ports.server}`,
    `http://127.0.0.1:${ports.mail}`,
    `smtp://127.0.0.1:${ports.smtp}`,
    samplePeopleMarker,
  ];
  return run(process.execPath, args, { cwd: repoRoot });
}
