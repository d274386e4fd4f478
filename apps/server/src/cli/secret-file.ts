/** Secrets in files. A replacement is atomic and keeps owner and permissions. */
import { chmod, chown, open, readFile, rename, rm, stat } from 'node:fs/promises';

export function requireSecretFile(env: Record<string, string | undefined>, name: string): string {
  const path = env[`${name}_FILE`];
  if (path === undefined) {
    throw new Error(`${name} is not given in a file: put it into one and name that in ${name}_FILE, then rotate it`);
  }
  return path;
}

export async function readSecretFile(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}

/** A crash leaves the old one or the new one. A second operator at the same moment is refused. */
export async function replaceSecretFile(path: string, secret: string): Promise<void> {
  const { mode, uid, gid } = await stat(path);
  const fresh = `${path}.new`;
  await using file = await open(fresh, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST')
      throw new Error(`${fresh} exists: another rotation is running or was interrupted; check, then remove the file`);
    throw error;
  });
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
    await chmod(fresh, mode & 0o777);
    await chown(fresh, uid, gid);
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
