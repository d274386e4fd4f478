/** The server's own program, with phrases of its source replaced as it is loaded. */
import { registerHooks } from 'node:module';
// Nothing else may be imported here: what is loaded before the hooks is loaded whole.
import { SABOTAGE } from './change.ts';
import type { Change } from './change.ts';

const changes = JSON.parse(process.env[SABOTAGE] ?? '[]') as Change[];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const own = changes.filter(({ file }) => url.endsWith(`/apps/server/src/${file}`));
    if (own.length === 0) return loaded;
    const text = own.reduce(
      (source, { phrase, replacement }) => source.replaceAll(phrase, replacement),
      Buffer.from(loaded.source as Uint8Array).toString(),
    );
    return { ...loaded, source: text };
  },
});

await import('../../../../apps/server/src/main.ts');
