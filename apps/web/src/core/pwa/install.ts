/** Installing the app: the browser's own question, kept from the moment it offers it until the user asks for it. */
import { createStore, useStore } from '../lib/store.ts';

/** Chromium's; not in the types. */
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

/** From the start on: a browser offers it once, and early. Returns how to stop. */
export function watchInstall(): () => void {
  window.addEventListener('beforeinstallprompt', handleOffer);
  window.addEventListener('appinstalled', handleInstalled);
  return () => {
    window.removeEventListener('beforeinstallprompt', handleOffer);
    window.removeEventListener('appinstalled', handleInstalled);
  };
}

/** An offer is good for one question. */
export async function promptInstall(offer: InstallOffer): Promise<void> {
  store.write(undefined);
  await offer.prompt();
}

export function isInstalled(): boolean {
  const { standalone } = navigator as { standalone?: boolean };
  return standalone === true || window.matchMedia('(display-mode: standalone)').matches;
}

/** An iPad says it is a Mac, but no Mac is touched. */
export function isIos(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}
