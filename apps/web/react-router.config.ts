import type { Config } from '@react-router/dev/config';
import { locales, localisePath } from './src/core/locale.ts';
import { prerenderedPaths } from './src/core/paths.ts';

export default {
  appDirectory: 'src',
  ssr: false,
  prerender: () => locales.flatMap(({ code }) => prerenderedPaths.map((path) => localisePath(code, path))),
} satisfies Config;
