/** A value in a file that is replaced in one step: after a crash there is the old one or the new one, never half of either. */
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { ValueStore } from '@dostar/client/engine-disk';

/** Only for the account that runs the process: what lies here opens the assistant's messages. */
const PRIVATE = 0o600;

export function openAtomicFile(path: string): ValueStore {
  return {
    async read() {
      try {
        return deserialize(await readFile(path)) as unknown;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async write(value) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const fresh = `${path}.new`;
      await using file = await open(fresh, 'w', PRIVATE);
      await file.writeFile(serialize(value));
      // On the disk before its name is: otherwise a power cut could leave the name of an empty file.
      await file.sync();
      await rename(fresh, path);
      await using folder = await open(dirname(path), 'r');
      await folder.sync();
    },
  };
}
