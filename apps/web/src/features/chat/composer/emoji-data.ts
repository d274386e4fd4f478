// Emoji with names for the picker, bundled with the app: by default the library loads them from a third-party server.
import type { LocaleCode } from '../../../core/i18n/locale.ts';

interface Source {
  emoji: string;
  label: string;
  version: number;
  group?: number;
  tags?: string[];
}

interface Messages {
  groups: { key: string; order: number; message: string }[];
}

const sources: Record<LocaleCode, () => Promise<[{ default: unknown }, { default: unknown }]>> = {
  en: () => Promise.all([import('emojibase-data/en/data.json'), import('emojibase-data/en/messages.json')]),
  // No published data names emoji in Kazakh; its speakers know the Russian names better than the English ones.
  kz: () => Promise.all([import('emojibase-data/ru/data.json'), import('emojibase-data/ru/messages.json')]),
  ru: () => Promise.all([import('emojibase-data/ru/data.json'), import('emojibase-data/ru/messages.json')]),
};

/** Newest emoji version that all recent systems can draw. */
const NEWEST_VERSION = 15;

export async function loadEmojiData(code: LocaleCode, nameGroup: (key: string) => string | undefined) {
  const [data, messages] = await sources[code]();
  const emojis = data.default as Source[];
  const { groups } = messages.default as Messages;
  return {
    locale: code,
    emojis: emojis.flatMap(({ emoji, label, version, group, tags = [] }) =>
      group === undefined || version > NEWEST_VERSION ? [] : [{ emoji, label, version, category: group, tags }],
    ),
    categories: groups
      .filter(({ key }) => key !== 'component')
      .map(({ key, order, message }) => ({ index: order, label: nameGroup(key) ?? message })),
    skinTones: { light: '', 'medium-light': '', medium: '', 'medium-dark': '', dark: '' },
  };
}
