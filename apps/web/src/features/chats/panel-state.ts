/** View of the left panel. */
export type PanelState = 'contacts' | 'search' | 'requests' | 'archived' | 'new-contact';

export const initialPanel: PanelState = 'contacts';
