import { index, layout, prefix, route, type RouteConfig, type RouteConfigEntry } from '@react-router/dev/routes';
import { defaultLocale, locales } from './core/i18n/locale.ts';

// Each language has its own tree with a plain prefix: an optional `:lang` would match every unknown word.
function localeRoutes(code: string): RouteConfigEntry[] {
  function id(name: string): { id: string } {
    return { id: `${code}:${name}` };
  }
  function page(path: string, file: string): RouteConfigEntry {
    return route(path, `features/${file}-page.tsx`, id(path));
  }
  function layoutRoute(name: string, children: RouteConfigEntry[], where = ''): RouteConfigEntry {
    return layout(`app/layouts/${name}-layout.tsx`, id(`layout-${name}${where}`), children);
  }
  function guardRoute(name: string, where: string, children: RouteConfigEntry[]): RouteConfigEntry {
    return layout(`app/guards/${name}-layout.tsx`, id(`guard-${name}-${where}`), children);
  }

  return [
    layoutRoute('home', [index('features/landing/landing-page.tsx', id('home'))]),
    layoutRoute('main', [page('about', 'about/about'), page('privacy', 'about/privacy')]),
    layoutRoute('documentation', [
      page('tutorials', 'tutorials/tutorials'),
      page('components', 'component-gallery/components'),
      page('components/custom-input', 'component-gallery/custom-input'),
      page('components/custom-label', 'component-gallery/custom-label'),
      page('components/custom-button', 'component-gallery/custom-button'),
      page('components/custom-password-input', 'component-gallery/custom-password-input'),
    ]),
    layoutRoute('test', [
      page('test', 'diagnostics/test'),
      page('test2', 'diagnostics/test2'),
      page('test3', 'diagnostics/test3'),
      page('test4', 'diagnostics/test4'),
      page('test5', 'diagnostics/test5'),
    ]),
    layoutRoute('sign-up', [
      page('verify', 'auth/verify'),
      page('invite', 'auth/invite'),
      page('recovery', 'auth/recovery'),
      page('reset-password', 'auth/reset-password'),
      page('google-register-success', 'auth/google-register-success'),
      page('login-failed', 'auth/login-failed'),
      guardRoute('guests', 'sign-up', [
        page('sign-in', 'auth/sign-in'),
        page('second-step', 'auth/second-step'),
        page('sign-up', 'auth/sign-up'),
        page('confirm-code', 'auth/confirm-code'),
      ]),
    ]),
    guardRoute('members', 'unlock', [layoutRoute('sign-up', [page('unlock', 'unlock/unlock')], '-members')]),
    layoutRoute('default', [page('contacts/no', 'contacts/no-contact')]),
    layoutRoute('settings', [
      page('settings', 'settings/appearance/appearance'),
      page('settings/privacy', 'settings/privacy/privacy'),
    ]),
    guardRoute('members', 'settings', [
      layoutRoute(
        'settings',
        [
          page('settings/account', 'settings/account/account'),
          page('settings/security', 'settings/security/security'),
          page('settings/second-factors', 'settings/factors/second-factors'),
          page('settings/passkeys', 'settings/passkeys/passkeys'),
          page('settings/devices', 'settings/devices/devices'),
          page('settings/visibility', 'settings/visibility/visibility'),
          page('settings/notifications', 'settings/notifications/notifications'),
          page('settings/storage', 'settings/storage/storage'),
        ],
        '-members',
      ),
    ]),
    guardRoute('members', 'profile', [
      layoutRoute('profile', [
        page('profile', 'profile/personal'),
        page('profile/contact', 'profile/contact'),
        page('profile/education', 'profile/education'),
        page('profile/skills', 'profile/skills'),
        page('profile/account', 'profile/account'),
        page('profile/work', 'profile/work'),
      ]),
    ]),
    // One layout for the list and the chats, so that the list keeps its scroll position when the chat changes.
    guardRoute('members', 'chat', [
      layoutRoute('contacts', [
        page('contacts', 'chats/contacts'),
        page('search-contacts', 'contacts/search-contacts'),
        page('contacts/:username', 'chat/chat'),
      ]),
    ]),
    // The static not-found page is rendered at `/404`, which no other route matches, so the same tree hydrates
    // everywhere.
    route('*', 'app/not-found-page.tsx', id('not-found')),
  ];
}

export default locales.flatMap(({ code }) =>
  code === defaultLocale ? localeRoutes(code) : prefix(code, localeRoutes(code)),
) satisfies RouteConfig;
