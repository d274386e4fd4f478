import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Root } from './root.ts';

export interface Unit {
  name: string;
  user: string;
  /** Commands to run before the main one; `isRoot` for those marked with `+`. */
  before: { words: string[]; isRoot: boolean }[];
  command: string[];
  env: Record<string, string>;
}

/** Reads the settings that start a unit's process, which the proof does itself because systemd cannot run here. */
export function readUnit(root: Root, name: string): Unit {
  const places = ['etc/systemd/system', 'lib/systemd/system'].map((folder) => join(root.path, folder, name));
  const file = places.find((place) => existsSync(place));
  if (file === undefined) throw new Error(`no unit ${name}`);
  const lines = readFileSync(file, 'utf8').split('\n');
  const valuesOf = (key: string): string[] =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  const files = valuesOf('EnvironmentFile').map((path) => join(root.path, path.replace(/^-/, '')));
  return {
    name,
    user: valuesOf('User')[0] ?? 'root',
    before: valuesOf('ExecStartPre').map((line) => ({
      words: line.replace(/^\+/, '').split(' '),
      isRoot: line.startsWith('+'),
    })),
    command: (valuesOf('ExecStart')[0] ?? '').split(' '),
    env: Object.assign({}, ...files.filter((path) => existsSync(path)).map(readEnvironment)) as Record<string, string>,
  };
}

function readEnvironment(path: string): Record<string, string> {
  const pairs = readFileSync(path, 'utf8').matchAll(/^(\w+)="?([^"\n]*)"?$/gm);
  return Object.fromEntries([...pairs].map(([, key = '', value = '']) => [key, value]));
}
