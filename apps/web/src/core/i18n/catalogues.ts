import type about from '../../locales/en/about.json';
import type analytics from '../../locales/en/analytics.json';
import type app from '../../locales/en/app.json';
import type auth from '../../locales/en/auth.json';
import type chat from '../../locales/en/chat.json';
import type chats from '../../locales/en/chats.json';
import type checks from '../../locales/en/checks.json';
import type components from '../../locales/en/components.json';
import type contacts from '../../locales/en/contacts.json';
import type factors from '../../locales/en/factors.json';
import type google from '../../locales/en/google.json';
import type invites from '../../locales/en/invites.json';
import type landing from '../../locales/en/landing.json';
import type lock from '../../locales/en/lock.json';
import type passkeys from '../../locales/en/passkeys.json';
import type person from '../../locales/en/person.json';
import type preferences from '../../locales/en/preferences.json';
import type privacy from '../../locales/en/privacy.json';
import type profile from '../../locales/en/profile.json';
import type recovery from '../../locales/en/recovery.json';
import type said from '../../locales/en/said.json';
import type settings from '../../locales/en/settings.json';
import type shell from '../../locales/en/shell.json';
import type tutorials from '../../locales/en/tutorials.json';
import type ui from '../../locales/en/ui.json';

/** One file per feature, so that two people rarely edit the same file. */
interface Catalogues {
  about: typeof about;
  analytics: typeof analytics;
  app: typeof app;
  auth: typeof auth;
  chat: typeof chat;
  chats: typeof chats;
  checks: typeof checks;
  components: typeof components;
  contacts: typeof contacts;
  factors: typeof factors;
  google: typeof google;
  invites: typeof invites;
  landing: typeof landing;
  lock: typeof lock;
  passkeys: typeof passkeys;
  person: typeof person;
  preferences: typeof preferences;
  privacy: typeof privacy;
  profile: typeof profile;
  recovery: typeof recovery;
  said: typeof said;
  settings: typeof settings;
  shell: typeof shell;
  tutorials: typeof tutorials;
  ui: typeof ui;
}

export type Namespace = keyof Catalogues;

/** The plural suffixes of a sentence with a number: `unread_one`, `unread_other`; callers use the key `unread`. */
type PluralForm = 'one' | 'other';

type KeyOf<Catalogue, Prefix extends string = ''> = {
  [Name in keyof Catalogue & string]: Catalogue[Name] extends string
    ? `${Prefix}${Name extends `${infer Base}_${PluralForm}` ? Base : Name}`
    : KeyOf<Catalogue[Name], `${Prefix}${Name}.`>;
}[keyof Catalogue & string];

/** The path of a sentence in its catalogue: `account.signOut`. */
export type TextKey<N extends Namespace> = KeyOf<Catalogues[N]>;
