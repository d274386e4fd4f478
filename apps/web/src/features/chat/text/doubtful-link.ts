/** Why the app asks before it opens a link. */
type LinkDoubt = 'stranger' | 'deceptive';

export interface DoubtfulLink {
  href: string;
  doubt: LinkDoubt;
}
