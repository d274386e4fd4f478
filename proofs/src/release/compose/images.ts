/**
 * The images that compose.yaml names. No registry can be reached where this runs, so they are built from Debian's packages
 * under the official names; only the Dostar image is built by Compose itself, as it is for an operator.
 */
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import { makeBase } from '../install/root.ts';
import { type DockerEngine, importRoot, must } from './engine.ts';

const SOURCES = join(import.meta.dirname, 'images');
const FOLDER = join(REPO_ROOT, '.dev/proofs/compose/images');
const NATS = { name: 'nats-server', suite: 'forky', package: 'nats-server', file: 'usr/sbin/nats-server' } as const;

/** `names` by service, as compose.yaml has them. */
export async function makeImages(engine: DockerEngine, names: Record<string, string>): Promise<void> {
  await importRoot(await makeBase('Debian 12'), 'debian:12-slim');
  for (const [service, name] of Object.entries(names)) {
    const folder = join(FOLDER, service);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    cpSync(join(SOURCES, service), folder, { recursive: true });
    if (service === 'nats') copyFileSync(await unpackDebian(NATS), join(folder, 'nats-server'));
    const args = ['build', '--quiet', '--tag', name, '--file', join(folder, 'Containerfile'), folder];
    await must(engine.docker(args), `the image of ${service}`);
  }
}
