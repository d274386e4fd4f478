// Two places where Dostar can't keep its promise: an address without https, where browsers give no encryption, and
// another app's built-in browser, which forgets what it stores and is refused by Google.

export type OriginProblem = 'insecure' | 'webview';

const inAppBrowsers =
  /FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Snapchat|BytedanceWebview|musical_ly|TikTok|VKAndroidApp|VKClient|Telegram|; wv\)/;

function isInAppBrowser(agent: string): boolean {
  if (inAppBrowsers.test(agent)) return true;
  // On iOS every real browser calls itself Safari as well; a page inside another app does not.
  return /iPhone|iPad/.test(agent) && /AppleWebKit/.test(agent) && !/Safari\//.test(agent);
}

interface BrowserContext {
  isSecureContext: boolean;
  hasSubtle: boolean;
  hasLocks: boolean;
  agent: string;
  /** An installed app on iOS shows no `Safari` either. */
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
