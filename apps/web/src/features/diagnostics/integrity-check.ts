import { formatFingerprint, readIntegrityManifest } from '../../core/pwa/integrity-manifest.ts';
import type { Check } from './check.ts';
import { compareLoaded, listLoaded } from './compare-loaded.ts';

export const integrityCheck: Check = {
  id: 'program',
  async run() {
    // The development server has no manifest. Anywhere else a missing manifest is a failure.
    if (__BUILD__ === 'dev') return { state: 'off' };
    const { list, fingerprint } = await readIntegrityManifest();
    const { compared, unexpected } = await compareLoaded(list, listLoaded());
    if (unexpected.length > 0) return { state: 'fail', detail: `differs: ${unexpected.join(' ')}` };
    return { state: 'pass', detail: `${compared} files, ${formatFingerprint(fingerprint)}` };
  },
};
