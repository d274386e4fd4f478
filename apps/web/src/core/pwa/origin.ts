// Two places where the app can't work: an address without https, where browsers disable cryptography, and another app's
// built-in browser, which does not keep its storage and which Google refuses.

export type OriginProblem = 'insecure' | 'webview';

const inAppBrowsers =
  /FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Snapchat|BytedanceWebview|musical_ly|TikTok|VKAndroidApp|VKClient|Telegram|; wv\)/;

function isInAppBrowser(agent: string): boolean {
  if (inAppBrowsers.test(agent)) return true;
  // On iOS every real browser also calls itself Safari; a page inside another app does not.
  return /iPhone|iPad/.test(agent) && /AppleWebKit/.test(agent) && !/Safari\//.test(agent);
}

interface BrowserContext {
  isSecureContext: boolean;
  hasSubtle: boolean;
  hasLocks: boolean;
  agent: string;
  /** An installed app on iOS does not call itself Safari either. */
  isInstalled: boolean;
}

export function findOriginProblem(here: BrowserContext): OriginProblem | undefined {
  if (!here.isSecureContext || !here.hasSubtle || !here.hasLocks) return 'insecure';
  if (!here.isInstalled && isInAppBrowser(here.agent)) return 'webview';
  return undefined;
}

export function readBrowserContext(): BrowserContext {
  return {
    isSecureContext: window.isSecureContext,
    hasSubtle: 'crypto' in window && typeof window.crypto.subtle === 'object',
    hasLocks: 'locks' in navigator,
    agent: navigator.userAgent,
    isInstalled: window.matchMedia('(display-mode: standalone)').matches,
  };
}
