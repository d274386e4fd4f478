import { useEffect, useState } from 'react';
import { emptyFingerprint, formatFingerprint, readIntegrityManifest } from '../../core/pwa/integrity-manifest.ts';
import { cx } from '../../ui/cx.ts';

/** Asked for in the browser: a page can not hold the hash of a list that holds the hash of the page. */
export function BuildFingerprint() {
  const [fingerprintText, setFingerprintText] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    readIntegrityManifest().then(
      ({ fingerprint }) => {
        if (isCurrent) setFingerprintText(formatFingerprint(fingerprint));
      },
      // Without a network, or on a developer's server, there is none.
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return (
    <span className={cx('font-mono', fingerprintText === undefined && 'invisible')}>
      {fingerprintText ?? emptyFingerprint}
    </span>
  );
}
