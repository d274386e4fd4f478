import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { chunkGroups } from './finish/chunks.ts';
import { readBuild } from './finish/read-build.ts';

const backend = 'http://127.0.0.1:3000';

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  define: { __BUILD__: JSON.stringify(command === 'build' ? readBuild() : 'dev') },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: chunkGroups } } } } },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': backend,
      '/v1': backend,
      '/realtime': { target: backend, ws: true },
    },
  },
}));
