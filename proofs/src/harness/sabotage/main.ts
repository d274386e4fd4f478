/** The server's own program, with phrases of its source replaced as it is loaded. */
import { registerHooks } from 'node:module';
import { type Change, replacePhrases } from '@dostar/client/testing/change';
// No module of the server may be imported here: it would be loaded before the hooks, with nothing replaced.
import { SABOTAGE } from './environment-variable.ts';

const changes = JSON.parse(process.env[SABOTAGE] ?? '[]') as Change[];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const own = changes.filter(({ file }) => url.endsWith(`/apps/server/src/${file}`));
    if (own.length === 0) return loaded;
    return { ...loaded, source: replacePhrases(Buffer.from(loaded.source as Uint8Array).toString(), own) };
  },
});

await import('../../../../apps/server/src/main.ts');
