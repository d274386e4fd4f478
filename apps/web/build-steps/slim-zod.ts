import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const EMPTY_LOCALE = 'export default () => ({ localeError: () => undefined });';
const THROWING_STUB = `{ throw new Error('what a schema tells of itself is not in the site: see slim-zod.ts') }`;

const ZOD_CONFIG_LINE = '_a.__zod_globalConfig = {}';

/**
 * Every check of zod can describe itself as a JSON schema and explain failures in English: six kilobytes of every page
 * that no page uses. The catalogues have the texts for people; the code and the path of an issue stay. Introspection of
 * schemas (`maxLength` and the like) is removed too: code that uses it gets an error, in the built site too.
 *
 * Checks are not compiled: zod tries an `eval` to find out whether it may compile, which the policy of the pages
 * refuses and reports. The code generator is removed too.
 */
export const slimZod: Plugin = {
  name: 'slim-zod',
  load: {
    filter: {
      id: /\/zod\/v4\/core\/(?:core|doc|json-schema-processors|to-json-schema)\.js$|\/zod\/v4\/locales\/en\.js$/,
    },
    async handler(id) {
      if (id.endsWith('/en.js')) return EMPTY_LOCALE;
      if (id.endsWith('/doc.js')) return 'export class Doc {}';
      const source = await readFile(id, 'utf8');
      if (id.endsWith('/core.js')) {
        if (!source.includes(ZOD_CONFIG_LINE)) this.error('zod keeps its settings elsewhere: see slim-zod.ts');
        return source.replace(ZOD_CONFIG_LINE, '_a.__zod_globalConfig = { jitless: true }');
      }
      const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)];
      return names
        .map(([, name]) => `export const ${name} = () => ${name === 'aggregateChecks' ? THROWING_STUB : 'undefined'};`)
        .join('\n');
    },
  },
};
