/** What the panel at the left shows. It starts with the contacts. */
export type PanelState = 'contacts' | 'search' | 'requests' | 'archived' | 'new-contact';

export const initialPanel: PanelState = 'contacts';
