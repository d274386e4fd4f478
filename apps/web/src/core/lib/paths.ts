/** All paths of the app, without locale; `useLocalPath` adds it. */
export const paths = {
  home: '/',
  about: '/about',
  privacy: '/privacy',
  tutorials: '/tutorials',
  components: '/components',
  customInput: '/components/custom-input',
  customLabel: '/components/custom-label',
  customButton: '/components/custom-button',
  customPasswordInput: '/components/custom-password-input',
  test: '/test',
  test2: '/test2',
  test3: '/test3',
  test4: '/test4',
  test5: '/test5',
  verify: '/verify',
  invite: '/invite',
  signIn: '/sign-in',
  secondStep: '/second-step',
  signUp: '/sign-up',
  confirmCode: '/confirm-code',
  resetPassword: '/reset-password',
  recovery: '/recovery',
  unlock: '/unlock',
  searchContacts: '/search-contacts',
  noContact: '/contacts/no',
  googleRegisterSuccess: '/google-register-success',
  loginFailed: '/login-failed',
  profile: '/profile',
  profileContact: '/profile/contact',
  profileEducation: '/profile/education',
  profileSkills: '/profile/skills',
  profileAccount: '/profile/account',
  profileWork: '/profile/work',
  contacts: '/contacts',
  settings: '/settings',
  settingsAccount: '/settings/account',
  settingsSecurity: '/settings/security',
  settingsSecondFactors: '/settings/second-factors',
  settingsPasskeys: '/settings/passkeys',
  settingsDevices: '/settings/devices',
  settingsVisibility: '/settings/visibility',
  settingsNotifications: '/settings/notifications',
  settingsStorage: '/settings/storage',
  settingsPrivacy: '/settings/privacy',
  notFound: '/404',
} as const;

export function chatPath(username: string): string {
  return `${paths.contacts}/${encodeURIComponent(username)}`;
}

/** Pages with static HTML in every language. Chats have none, because their paths are unknown at build time. */
export const prerenderedPaths: string[] = Object.values(paths);

/** Pages that search engines should index. */
export const publicPaths: string[] = [
  paths.home,
  paths.about,
  paths.privacy,
  paths.tutorials,
  paths.components,
  paths.customInput,
  paths.customLabel,
  paths.customButton,
  paths.customPasswordInput,
  paths.signIn,
  paths.signUp,
];

/** The API reference for developers: a page outside of the app, in English only. */
export const apiReferencePath = '/docs/api';

/** The web manifest; each language has its own. */
export const manifestAddress = '/manifest.webmanifest';
