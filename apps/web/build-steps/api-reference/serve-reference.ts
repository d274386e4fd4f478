// Serves the reference on the development server: rendered for each request, without the app's font.
import type { Plugin } from 'vite';
import { apiReferencePath } from '../../src/core/lib/paths.ts';
import { makeReference } from './write-reference.ts';

const TYPES: Record<string, string> = { html: 'text/html; charset=utf-8', css: 'text/css', json: 'application/json' };

export const serveReference: Plugin = {
  name: 'serve-api-reference',
  configureServer({ middlewares }) {
    middlewares.use((request, reply, next) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (!pathname.startsWith(apiReferencePath)) return next();
      const address = pathname === apiReferencePath ? `${pathname}/index.html` : pathname;
      const text = makeReference(`http://${request.headers.host}`).get(address);
      if (text === undefined) return next();
      reply.setHeader('content-type', TYPES[address.split('.').at(-1) ?? ''] ?? 'text/plain');
      reply.end(text);
    });
  },
};
