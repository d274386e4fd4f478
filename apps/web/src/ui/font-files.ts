import cyrillicExt from '@fontsource-variable/onest/files/onest-cyrillic-ext-wght-normal.woff2?url';
import cyrillic from '@fontsource-variable/onest/files/onest-cyrillic-wght-normal.woff2?url';
import latin from '@fontsource-variable/onest/files/onest-latin-wght-normal.woff2?url';

/** The files that a language needs for its first paint. All need Latin, for names, numbers and the product's name. */
export const fontFiles: Record<string, string[]> = {
  en: [latin],
  kk: [latin, cyrillic, cyrillicExt],
  ru: [latin, cyrillic],
};
