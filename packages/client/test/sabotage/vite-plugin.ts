import type { Plugin } from 'vitest/config';
import { isSabotaged, nameModule, sabotageModule } from './sabotaged-client.ts';

/** Lets tests load a sabotaged client (`loadSabotagedClient`). */
export function sabotage(): Plugin {
  return {
    name: 'sabotage',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (importer === undefined || !isSabotaged(importer)) return undefined;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return resolved && { ...resolved, id: nameModule(resolved.id, importer) };
    },
    transform: (source, id) => (isSabotaged(id) ? sabotageModule(id, source) : undefined),
  };
}
