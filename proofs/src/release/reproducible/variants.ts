import type { Change } from '@dostar/client/testing/change';

interface Variant extends Change {
  /** Shows only in a new build of the pages. */
  needsPages?: boolean;
  /** Shows only in the packed file. */
  needsArchive?: boolean;
}

/** Safeguards of reproducibility: with one of them left out in one build, the proof must see a difference. */
export const variants: Record<string, Variant> = {
  'timeless-materials': {
    file: 'tools/src/bundle/sbom.ts',
    phrase: 'metadata: { component: product },',
    replacement: 'metadata: { timestamp: new Date().toISOString(), component: product },',
  },
  'own-rights': {
    file: 'tools/src/bundle/copy-tree.ts',
    phrase: '? 0o644 : 0o755',
    replacement: '? 0o600 : 0o700',
  },
  'fixed-times': {
    file: 'tools/src/bundle/pack.ts',
    phrase: '`--mtime=@${time}`,',
    replacement: '',
    needsArchive: true,
  },
  'timeless-pages': {
    file: 'apps/web/build-steps/postprocess-site.ts',
    phrase: 'JSON.stringify({ build })',
    replacement: 'JSON.stringify({ build, at: Date.now() })',
    needsPages: true,
  },
};
