/** Installing the app: keeps the browser's offer until the user asks for it. */
import { createStore, useStore } from '../lib/store.ts';

/** Only Chromium has it; TypeScript's types do not include it. */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

const store = createStore<InstallOffer | undefined>(undefined);

export function useInstallOffer(): InstallOffer | undefined {
  return useStore(store, undefined);
}

function handleOffer(event: Event): void {
  store.write(event as InstallOffer);
}

function handleInstalled(): void {
  store.write(undefined);
}

/** Call it at the start: a browser makes the offer once, and early. Returns a function that stops it. */
export function watchInstall(): () => void {
  window.addEventListener('beforeinstallprompt', handleOffer);
  window.addEventListener('appinstalled', handleInstalled);
  return () => {
    window.removeEventListener('beforeinstallprompt', handleOffer);
    window.removeEventListener('appinstalled', handleInstalled);
  };
}

/** An offer can be used once. */
export async function promptInstall(offer: InstallOffer): Promise<void> {
  store.write(undefined);
  await offer.prompt();
}

export function isInstalled(): boolean {
  const { standalone } = navigator as { standalone?: boolean };
  return standalone === true || window.matchMedia('(display-mode: standalone)').matches;
}

/** An iPad claims to be a Mac, but no Mac has a touchscreen. */
export function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}
