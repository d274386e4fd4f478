import { useEffect, useState } from 'react';
import { emptyMark, formatMark, readProgramList } from '../../core/pwa/program-list.ts';
import { cx } from '../../ui/cx.ts';

/** Asked for in the browser: a page can not hold the hash of a list that holds the hash of the page. */
export function ProgramMark() {
  const [mark, setMark] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    readProgramList().then(
      ({ fingerprint }) => {
        if (isCurrent) setMark(formatMark(fingerprint));
      },
      // Without a network, or on a developer's server, there is none.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return <span className={cx('font-mono', mark === undefined && 'invisible')}>{mark ?? emptyMark}</span>;
}
