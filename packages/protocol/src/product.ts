/** The product's name: page titles, mails, manifest and docs read it here. */
export const productName = 'Dostar';

/** The newest version in CHANGELOG.md. */
export const productVersion = '0.2.0';

/** The username under which everybody finds the built-in assistant, and what it is called. */
export const ASSISTANT_NAME = 'amadeus';
export const ASSISTANT_TITLE = 'Amadeus';
