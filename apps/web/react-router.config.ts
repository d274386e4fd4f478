import { join } from 'node:path';
import { constants } from 'node:zlib';
import type { Config } from '@react-router/dev/config';
import { postprocessSite } from './build-steps/postprocess-site.ts';
import { readBuild } from './build-steps/read-build.ts';
import { locales, localisePath } from './src/core/i18n/locale.ts';
import { prerenderedPaths } from './src/core/lib/paths.ts';

const brotliQuality = Number(process.env['BROTLI_QUALITY'] ?? constants.BROTLI_MAX_QUALITY);

const config: Config = {
  appDirectory: 'src',
  ssr: false,
  prerender: () => locales.flatMap(({ code }) => prerenderedPaths.map((path) => localisePath(code, path))),
  async buildEnd({ reactRouterConfig }) {
    await postprocessSite(join(reactRouterConfig.buildDirectory, 'client'), readBuild(), brotliQuality);
  },
};

export default config;
