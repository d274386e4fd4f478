/** Names of 0.1, accepted with a warning until 0.3. */

/** Groups of browser tests and single specs. */
export const FORMER_SPECS: Record<string, string> = {
  face: 'public-site',
  'face-budget': 'public-site-budget',
  'face-checks': 'public-site-diagnostics',
  'face-components': 'public-site-components',
  'face-pages': 'public-site-pages',
  'face-shell': 'public-site-shell',
  'public-site-checks': 'public-site-diagnostics',
  'always-there': 'pwa',
  'always-there-install': 'pwa-install',
  'always-there-press': 'pwa-notification-click',
  'always-there-push': 'pwa-push',
  'pwa-press': 'pwa-notification-click',
  'chat-adapts': 'chat-responsive',
  sealed: 'chat-encryption',
  walking: 'process-failover',
};

export const FORMER_SCREENSHOTS: Record<string, string> = { films: 'videos' };

export const FORMER_PARTS: Record<string, string> = { walls: 'boundaries' };

/** The present name, with a warning if `name` is a former one. The name of a spec may have its file ending. */
export function presentName(names: Record<string, string>, name: string): string {
  const present = names[name.replace(/\.spec\.ts$/, '')];
  if (present === undefined) return name;
  console.warn(`"${name}" is now "${present}"; the old name works until 0.3.`);
  return present;
}
