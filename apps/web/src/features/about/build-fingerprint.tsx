import { useEffect, useState } from 'react';
import { emptyFingerprint, formatFingerprint, readIntegrityManifest } from '../../core/pwa/integrity-manifest.ts';
import { cx } from '../../ui/cx.ts';

/** Fetched at run time: a page cannot contain the hash of a manifest that contains the hash of the page. */
export function BuildFingerprint() {
  const [fingerprintText, setFingerprintText] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    readIntegrityManifest().then(
      ({ fingerprint }) => {
        if (isCurrent) setFingerprintText(formatFingerprint(fingerprint));
      },
      // Offline, or on the development server: no fingerprint is shown.
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
