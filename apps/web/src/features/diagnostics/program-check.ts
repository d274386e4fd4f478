import { formatMark, readProgramList } from '../../core/pwa/program-list.ts';
import type { Check } from './check.ts';
import { compareLoaded, listLoaded } from './compare-loaded.ts';

export const programCheck: Check = {
  id: 'program',
  async run() {
    // A developer's server has no list. Elsewhere one that is missing is a failure like any other.
    if (__BUILD__ === 'dev') return { state: 'off' };
    const { list, fingerprint } = await readProgramList();
    const { compared, strange } = await compareLoaded(list, listLoaded());
    if (strange.length > 0) return { state: 'fail', detail: `differs: ${strange.join(' ')}` };
    return { state: 'pass', detail: `${compared} files, ${formatMark(fingerprint)}` };
  },
};
