import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { serveReference } from './build-steps/api-reference/serve-reference.ts';
import { chunkGroups } from './build-steps/chunks.ts';
import { guardRouteModules } from './build-steps/guard-route-modules.ts';
import { slimZod } from './build-steps/slim-zod.ts';
import { modernBuilds } from './build-steps/modern-builds.ts';
import { readBuild } from './build-steps/read-build.ts';
import { recordPageModules, recordWorkerModules } from './build-steps/record-modules.ts';
import { textsFolder } from './build-steps/texts.ts';
import { disposePolyfill } from './src/core/pwa/dispose-polyfill.ts';

/** Set another port if two clones run on one machine. */
const backend = process.env['BACKEND_URL'] ?? 'http://127.0.0.1:3000';

/** The renderer allows ten seconds per page; on a busy machine, loading its modules at the first page takes longer. */
const loadBeforeRendering: Plugin = {
  name: 'load-before-rendering',
  async configurePreviewServer() {
    await import(new URL('build/server/index.js', import.meta.url).href);
  },
};

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    reactRouter(),
    slimZod,
    guardRouteModules,
    recordPageModules,
    loadBeforeRendering,
    serveReference,
  ],
  define: {
    __BUILD__: JSON.stringify(command === 'build' ? readBuild() : 'dev'),
    __TEXTS__: JSON.stringify(command === 'build' ? `/${textsFolder()}` : '/src/locales'),
  },
  resolve: { alias: modernBuilds },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } } } },
  },
  worker: { plugins: () => [slimZod, recordWorkerModules()], rolldownOptions: { output: { banner: disposePolyfill } } },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': backend,
      '/realtime': { target: backend, ws: true },
      '/v1': { target: backend, ws: true },
    },
  },
}));
