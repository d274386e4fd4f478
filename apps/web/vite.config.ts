import { execSync } from 'node:child_process';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const backend = 'http://127.0.0.1:3000';

function readBuild(): string {
  try {
    return execSync('git rev-parse --short=10 HEAD', { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  define: { __BUILD__: JSON.stringify(command === 'build' ? readBuild() : 'dev') },
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
