import type about from './locales/en/about.json';
import type auth from './locales/en/auth.json';
import type catalogue from './locales/en/catalogue.json';
import type checks from './locales/en/checks.json';
import type contacts from './locales/en/contacts.json';
import type landing from './locales/en/landing.json';
import type profile from './locales/en/profile.json';
import type settings from './locales/en/settings.json';
import type shell from './locales/en/shell.json';
import type tutorials from './locales/en/tutorials.json';
import type ui from './locales/en/ui.json';

/** One file per feature, so that two people do not edit the same one. */
interface Catalogues {
  about: typeof about;
  auth: typeof auth;
  catalogue: typeof catalogue;
  checks: typeof checks;
  contacts: typeof contacts;
  landing: typeof landing;
  profile: typeof profile;
  settings: typeof settings;
  shell: typeof shell;
  tutorials: typeof tutorials;
  ui: typeof ui;
}

export type Namespace = keyof Catalogues;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'shell';
    resources: Catalogues;
    enableSelector: false;
  }
}
