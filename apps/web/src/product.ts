export { productName, productVersion } from '@dostar/protocol/product';

/** The address in prerendered pages; the site role replaces it by the operator's own address. */
export const placeholderOrigin = 'https://dostar.example';

/** Attribute of <html> in every built page; the site role changes it if the operator has no Google. */
export const googleMark = { on: 'data-google="on"', off: 'data-google="off"' };
