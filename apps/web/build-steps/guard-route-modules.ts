import type { Plugin } from 'vite';

const RELOAD = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\}\);/;

/**
 * If a route module can't be loaded, React Router reloads the page that is being left, as often as it fails, and the
 * requested page is never reached. In the built site the error goes to the error page of the requested address instead,
 * which loads the module again under the guard of src/app/watch-build.ts.
 */
export const guardRouteModules: Plugin = {
  name: 'guard-route-modules',
  apply: 'build',
  transform: {
    filter: { id: /\/react-router\/dist\/\w+\/lib\/dom\/ssr\/routeModules\.js$/ },
    handler(code) {
      if (!RELOAD.test(code)) this.error('React Router no longer reloads here: see guard-route-modules.ts');
      return { code: code.replace(RELOAD, `error.name = 'ChunkLoadError'; throw error;`), map: null };
    },
  },
};
