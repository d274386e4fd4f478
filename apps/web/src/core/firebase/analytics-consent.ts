/**
 * Whether usage statistics are shared: the operator must have configured a Firebase project, and the person using this
 * browser must have agreed. A browser that asks not to be tracked counts as a refusal, and the app does not ask.
 */
import { readJson, writeJson } from '../lib/local-json.ts';
import { createStore, useStore } from '../lib/store.ts';

const key = 'analytics';

export interface Analytics {
  /** Undefined until the server has said that the operator configured analytics. */
  measurementId: string | undefined;
  /** The answer stored in this browser; undefined until the person has answered. */
  isAllowed: boolean | undefined;
}

const none: Analytics = { measurementId: undefined, isAllowed: undefined };
const store = createStore(none);

/** Do Not Track, or Global Privacy Control. */
export function isTrackingRefused(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return globalPrivacyControl === true || doNotTrack === '1';
}

function readAnswer(): boolean | undefined {
  const { isAllowed } = readJson(key);
  return typeof isAllowed === 'boolean' ? isAllowed : undefined;
}

/** Called when the operator's project has analytics. */
export function offerAnalytics(measurementId: string): void {
  store.write({ measurementId, isAllowed: readAnswer() });
}

export function answerAnalytics(isAllowed: boolean): void {
  writeJson(key, { isAllowed });
  store.write({ ...store.read(), isAllowed });
}

/** Reads the present state: another tab may have changed the answer since this one started. */
export function readAnalytics(): Analytics {
  return { ...store.read(), isAllowed: readAnswer() };
}

export function useAnalytics(): Analytics {
  return useStore(store, none);
}
