/**
 * A value in a file that is replaced atomically: after a crash the file has the old value or the new one, never a mix.
 */
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { ValueStore } from '@dostar/client/engine-disk';

/** Readable only by the process's own account, because these files unlock the assistant's messages. */
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
      // Synced before the rename: otherwise a power cut could leave an empty file under the final name.
      await file.sync();
      await rename(fresh, path);
      await using folder = await open(dirname(path), 'r');
      await folder.sync();
    },
  };
}
