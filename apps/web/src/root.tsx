import type { ReactNode } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import './app.css';
import { DebugPanel } from './app/debug-panel.tsx';
import { ErrorPage } from './app/error-page.tsx';
import { FeedbackBanner } from './app/feedback-banner.tsx';
import { PendingReauthentication } from './app/reauthentication/pending-reauthentication.tsx';
import { AccountAlertsHost } from './app/alerts/account-alerts-host.tsx';
import { TextsProvider } from './app/texts-provider.tsx';
import { useAppLifecycle } from './app/use-app-lifecycle.ts';
import { headScript } from './core/pwa/head-script.ts';
import { localisePath } from './core/i18n/locale.ts';
import { manifestAddress } from './core/lib/paths.ts';
import { requestTexts } from './core/i18n/texts.ts';
import { useLocale } from './core/i18n/use-locale.ts';
import { productName } from './product.ts';
import { fontFiles } from './ui/font-files.ts';

await requestTexts('shell', 'ui');

/** The meta tags of pages without their own, and of the shell until its scripts run. */
export function meta() {
  return [{ title: productName }];
}

export function Layout({ children }: { children: ReactNode }) {
  const { code, tag } = useLocale();
  return (
    // The script in the head adds the theme to <html> before React hydrates it.
    <html lang={tag} data-google="on" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {/* The script has run when this file arrives, so the browser's bundle does not contain it. */}
        <script suppressHydrationWarning dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? headScript : '' }} />
        {fontFiles[tag]?.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
        ))}
        <Meta />
        <Links />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />
        <link rel="manifest" href={localisePath(code, manifestAddress)} />
      </head>
      <body>
        <TextsProvider>{children}</TextsProvider>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function Root() {
  useAppLifecycle();
  return (
    <>
      <Outlet />
      <PendingReauthentication />
      <AccountAlertsHost />
      <FeedbackBanner />
      <DebugPanel />
    </>
  );
}

/** Shown until the scripts arrive, on the fallback page of paths that could not be prerendered. */
export function HydrateFallback() {
  return null;
}

export const ErrorBoundary = ErrorPage;
