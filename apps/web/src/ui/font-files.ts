import cyrillicExt from '@fontsource-variable/onest/files/onest-cyrillic-ext-wght-normal.woff2?url';
import cyrillic from '@fontsource-variable/onest/files/onest-cyrillic-wght-normal.woff2?url';
import latin from '@fontsource-variable/onest/files/onest-latin-wght-normal.woff2?url';

/** The files a language needs before its first line is drawn. Latin is in all: names, numbers, the product's own. */
export const fontFiles: Record<string, string[]> = {
  en: [latin],
  kk: [latin, cyrillic, cyrillicExt],
  ru: [latin, cyrillic],
};
