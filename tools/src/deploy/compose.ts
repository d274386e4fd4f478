/**
 * Runs Docker Compose itself to parse and validate a file, without a container engine. Debian 12's version is too old.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { unpackDebian } from '../servers/unpack-debian.ts';

const execute = promisify(execFile);
export interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  command?: string[] | null;
  entrypoint?: string[] | null;
  environment?: Record<string, string | null>;
  ports?: { published: string; target: number; host_ip?: string }[];
  profiles?: string[];
  secrets?: { source: string }[];
  volumes?: { type: string; source: string; target: string }[];
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  networks?: Record<string, unknown>;
  network_mode?: string;
  logging?: { driver: string; options: Record<string, string> };
}

export interface ComposeFile {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, unknown>;
  configs: Record<string, { file: string }>;
}

/** The file as `docker compose up` sees it, with every profile. Throws Compose's message if it is invalid. */
export async function readCompose(folder: string): Promise<ComposeFile> {
  const file = 'usr/libexec/docker/cli-plugins/docker-compose';
  const binary = await unpackDebian({ name: 'docker-compose', suite: 'forky', package: 'docker-compose', file });
  const args = ['--project-directory', folder, '--profile', '*', 'config', '--format', 'json'];
  const env = { PATH: process.env['PATH'], HOME: folder };
  const { stdout } = await execute(binary, args, { cwd: folder, env, maxBuffer: 16 * 1024 ** 2 });
  return JSON.parse(stdout) as ComposeFile;
}
