// Runs before the first paint, so that no wrong theme, wrong language or page for members appears for a moment. It is
// inlined and its hash is in each page's policy, so it is the same in every page. It also handles missing scripts of
// the page, because no other code of the app runs then.  Its trusted-types policy accepts as HTML only strings that
// create no element, and an empty script element. React needs the latter: if a static page differs from its scripts'
// result by a single word, React renders the page again with inert inline scripts. If the policy refused that, the page
// would be empty.
//
// It stops forms that are sent before React runs: the browser would put their fields, a password too, into the address.
import { disposePolyfill } from './dispose-polyfill.ts';
import { localeCookie, localeCookieSeconds } from '../i18n/locale.ts';
import { reloadGuardMs, reloadKey } from './reload-guard.ts';
import { settingsKey, themeKey } from '../lib/settings.ts';

export const headScript = `${disposePolyfill}
(function () {
  var d = document, root = d.documentElement, path = location.pathname;
  if (window.trustedTypes && trustedTypes.createPolicy) {
    trustedTypes.createPolicy('default', {
      createHTML: function (html) {
        if (html.indexOf('<') < 0 || html === '<script></' + 'script>') return html;
        throw new TypeError('html');
      },
      createScript: function (code) { if (code === '') return code; throw new TypeError('script'); },
      createScriptURL: function (url) {
        if (new URL(url, location.href).origin === location.origin) return url;
        throw new TypeError('script url');
      }
    });
  }
  addEventListener('error', function (event) {
    var at = event.target;
    if (!at || at.tagName !== 'SCRIPT' || at.type !== 'module' || !navigator.onLine) return;
    try {
      var key = '${reloadKey}' + location.pathname;
      if (Date.now() - Number(sessionStorage.getItem(key)) < ${reloadGuardMs}) return;
      sessionStorage.setItem(key, String(Date.now()));
      location.reload();
    } catch (error) {}
  }, true);
  addEventListener('submit', function (event) {
    if (!event.target.hasAttribute('method')) event.preventDefault();
  }, true);
  var named = /^\\/(kz|ru)(\\/|$)/.exec(path);
  if (!named) {
    var kept = /(?:^|; )${localeCookie}=(en|kz|ru)/.exec(d.cookie);
    var want = kept ? kept[1] : 'en';
    if (!kept) {
      var list = navigator.languages || [navigator.language];
      for (var i = 0; i < list.length; i++) {
        var tag = String(list[i]).slice(0, 2).toLowerCase();
        if (tag === 'kk' || tag === 'ru' || tag === 'en') { want = tag === 'kk' ? 'kz' : tag; break; }
      }
      d.cookie = '${localeCookie}=' + want + '; Path=/; Max-Age=${localeCookieSeconds}; SameSite=Lax' + (location.protocol === 'https:' ? '; Secure' : '');
    }
    if (want !== 'en') location.replace('/' + want + (path === '/' ? '' : path) + location.search + location.hash);
  }
  try {
    var bare = named ? path.slice(3) : path;
    var flags = JSON.parse(localStorage.getItem('${settingsKey}') || '{}');
    if (!flags.isSignedInHere && /^\\/(profile|contacts|search-contacts|settings\\/(account|security|second-factors|passkeys|devices|visibility|notifications|storage))(\\/|$)/.test(bare) && !/^\\/contacts\\/no\\/?$/.test(bare)) {
      location.replace((named ? '/' + named[1] : '') + '/sign-in?next=' + encodeURIComponent(bare.replace(/\\/$/, '') + location.search));
    }
    if (flags.isSignedInHere && /^\\/?(\\/(sign-in|sign-up|confirm-code))?\\/?$/.test(bare) && location.search.indexOf('next=') < 0) {
      location.replace((named ? '/' + named[1] : '') + '/profile');
    }
    var theme = localStorage.getItem('${themeKey}');
    var home = /^\\/(kz|ru)?\\/?$/.test(path);
    var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
    if (dark && !(home && flags.isSignedInHere !== true)) root.classList.add('dark');
    if (flags.textSize) root.dataset.text = flags.textSize;
    if (flags.reduceMotion) root.dataset.motion = 'none';
    if (flags.wallpaper) root.dataset.wallpaper = flags.wallpaper;
  } catch (error) {}
})();`;
