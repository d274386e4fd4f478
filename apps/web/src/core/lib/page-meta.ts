import type { MetaDescriptor } from 'react-router';
import type { Namespace } from '../i18n/catalogues.ts';
import { placeholderOrigin, productName } from '../../product.ts';
import { defaultLocale, findLocale, locales, localisePath, readLocale, stripLocale } from '../i18n/locale.ts';
import { publicPaths } from './paths.ts';
import { findCatalogueAddress, readTexts } from '../i18n/texts.ts';

export interface MetaArgs {
  location: { pathname: string };
}

const sharedNamespaces: Namespace[] = ['shell', 'ui'];

function readOrigin(): string {
  return typeof window === 'undefined' ? placeholderOrigin : window.location.origin;
}

function link(attributes: Record<string, string>): MetaDescriptor {
  return { tagName: 'link', ...attributes };
}

/**
 * The meta tags of a page: title, description, its other languages, and preloads of its texts. The catalogue has
 * `pages.{page}.title` and `pages.{page}.description`.
 */
export function pageMeta(namespace: Namespace, page: string): (args: MetaArgs) => MetaDescriptor[] {
  return ({ location }) => {
    const code = readLocale(location.pathname);
    const t = readTexts(code).translator(namespace) as unknown as (key: string) => string;
    const path = stripLocale(location.pathname);
    const origin = readOrigin();
    const isPublic = publicPaths.includes(path);
    const name = t(`pages.${page}.title`);
    const title = path === '/' ? `${productName} · ${name}` : `${name} · ${productName}`;
    const description = t(`pages.${page}.description`);
    const here = origin + localisePath(code, path);
    const words = [...sharedNamespaces, namespace]
      .filter((item, index, all) => all.indexOf(item) === index)
      .map((item) => findCatalogueAddress(code, item))
      .map((href) => link({ rel: 'preload', as: 'fetch', href, crossOrigin: 'anonymous' }));
    // Only static pages need the rest, for crawlers: a browser that navigates needs only these.
    if (!import.meta.env.SSR && import.meta.env.MODE !== 'test') {
      return [{ title }, { name: 'description', content: description }, ...words];
    }
    const discovery = isPublic
      ? [
          link({ rel: 'canonical', href: here }),
          ...locales.map(({ code: other, tag }) =>
            link({ rel: 'alternate', hrefLang: tag, href: origin + localisePath(other, path) }),
          ),
          link({ rel: 'alternate', hrefLang: 'x-default', href: origin + localisePath(defaultLocale, path) }),
          { property: 'og:title', content: title },
          { property: 'og:description', content: description },
          { property: 'og:type', content: 'website' },
          { property: 'og:site_name', content: productName },
          { property: 'og:locale', content: findLocale(code).tag },
          { property: 'og:url', content: here },
          { property: 'og:image', content: `${origin}/social/${code}.png` },
          { property: 'og:image:width', content: '1200' },
          { property: 'og:image:height', content: '630' },
          { name: 'twitter:card', content: 'summary_large_image' },
        ]
      : [{ name: 'robots', content: 'noindex' }];
    return [{ title }, { name: 'description', content: description }, ...discovery, ...words];
  };
}
