const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];
const OTHER = /(?!\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek})\p{L}/u;
const hostOf = /^(?:https?:\/\/|mailto:[^@]*@)([^/?#]*)/i;

/**
 * Whether the visible host may differ from the one that opens: punycode, or characters of several scripts (`аpple.com`
 * with a Cyrillic а).
 */
export function isDeceptiveLink(href: string): boolean {
  const [, host = ''] = hostOf.exec(href) ?? [];
  return /(?:^|\.)xn--/i.test(host) || [...SCRIPTS, OTHER].filter((script) => script.test(host)).length > 1;
}
