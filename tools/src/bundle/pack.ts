import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Options of tar that remove the time, place and user of the packing. */
function describeNothing(time: number): string[] {
  return [
    '--format=gnu',
    '--sort=name',
    `--mtime=@${time}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    '--hard-dereference',
  ];
}

/** Packs a folder into one file, with the same bytes on every machine and at any time. */
export async function packFolder(folder: string, file: string, time: number): Promise<void> {
  const args = [...describeNothing(time), '-cf', '-', '-C', dirname(folder), basename(folder)];
  const tar = spawn('tar', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
  });
  const ended = once(tar, 'close') as Promise<[number | null]>;
  await pipeline(tar.stdout, createGzip({ level: 6 }), createWriteStream(file));
  const [code] = await ended;
  if (code !== 0) throw new Error(`tar ended with ${code}`);
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part as Buffer);
  return hash.digest('hex');
}
