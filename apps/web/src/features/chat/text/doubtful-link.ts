/** Why a person is asked before a link opens. */
type LinkDoubt = 'stranger' | 'deceptive';

export interface DoubtfulLink {
  href: string;
  doubt: LinkDoubt;
}
