import { formatFingerprint, readIntegrityManifest } from '../../core/pwa/integrity-manifest.ts';
import type { Check } from './check.ts';
import { compareLoaded, listLoaded } from './compare-loaded.ts';

export const integrityCheck: Check = {
  id: 'program',
  async run() {
    // A developer's server has no list. Elsewhere one that is missing is a failure like any other.
    if (__BUILD__ === 'dev') return { state: 'off' };
    const { list, fingerprint } = await readIntegrityManifest();
    const { compared, unexpected } = await compareLoaded(list, listLoaded());
    if (unexpected.length > 0) return { state: 'fail', detail: `differs: ${unexpected.join(' ')}` };
    return { state: 'pass', detail: `${compared} files, ${formatFingerprint(fingerprint)}` };
  },
};
