/** Our client with phrases of its source replaced, beside the real one in the same process. */
import { registerHooks } from 'node:module';
import { isSabotaged, nameModule, sabotageModule } from '@dostar/client/testing/sabotage';

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    return { ...resolved, url: nameModule(resolved.url, context.parentURL ?? '') };
  },
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!isSabotaged(url)) return loaded;
    return { ...loaded, source: sabotageModule(url, Buffer.from(loaded.source as Uint8Array).toString()) };
  },
});

export { loadSabotagedClient } from '@dostar/client/testing/sabotage';
