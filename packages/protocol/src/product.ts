/** The product's name: page titles, emails, manifest and docs read it here. */
export const productName = 'Dostar';

/** The newest released version in CHANGELOG.md. */
export const productVersion = '0.2.0';

/** The username under which all users find the built-in assistant, and its display name. */
export const ASSISTANT_NAME = 'amadeus';
export const ASSISTANT_TITLE = 'Amadeus';
