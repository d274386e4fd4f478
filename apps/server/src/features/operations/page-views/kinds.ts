/** Page views are counted by kind of page, so that no counter shows the path of one visitor. */
export const PAGE_KINDS = ['landing', 'about', 'documentation', 'checks', 'entry', 'app'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

const KINDS: [RegExp, PageKind][] = [
  [/^\/$/, 'landing'],
  [/^\/(?:about|privacy)$/, 'about'],
  [/^\/(?:tutorials|components|docs)(?:\/|$)/, 'documentation'],
  [/^\/test\d?$/, 'checks'],
  [
    /^\/(?:sign-in|sign-up|second-step|confirm-code|recovery|reset-password|verify|invite|google-register-success|login-failed)$/,
    'entry',
  ],
];

/** `path` without its language. */
export function kindOf(path: string): PageKind {
  return KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'app';
}
