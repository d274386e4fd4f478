import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { finishSite } from './finish/finish-site.ts';
import { readBuild } from './finish/read-build.ts';
import { locales, localisePath } from './src/core/locale.ts';
import { prerenderedPaths } from './src/core/paths.ts';

const config: Config = {
  appDirectory: 'src',
  ssr: false,
  prerender: () => locales.flatMap(({ code }) => prerenderedPaths.map((path) => localisePath(code, path))),
  async buildEnd({ reactRouterConfig }) {
    await finishSite(join(reactRouterConfig.buildDirectory, 'client'), readBuild());
  },
};

export default config;
