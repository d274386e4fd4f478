export const locales = [
  { code: 'en', tag: 'en', prefix: '' },
  { code: 'kz', tag: 'kk', prefix: '/kz' },
  { code: 'ru', tag: 'ru', prefix: '/ru' },
] as const;

/** Every page a visitor can see, without language. */
export const pages = [
  '/',
  '/about',
  '/privacy',
  '/tutorials',
  '/components',
  '/components/custom-input',
  '/components/custom-label',
  '/components/custom-button',
  '/components/custom-password-input',
  '/test',
  '/test2',
  '/test3',
  '/test4',
  '/test5',
  '/sign-in',
  '/sign-up',
  '/recovery',
  '/reset-password',
  '/verify',
  '/invite',
  '/google-register-success',
  '/login-failed',
  '/contacts/no',
  '/settings',
  '/settings/privacy',
];
