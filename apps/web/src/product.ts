export { productName, productVersion } from '@dostar/protocol/product';

/** Written into prerendered pages; the site role puts the operator's own address in its place. */
export const placeholderOrigin = 'https://dostar.example';

/** On <html> of every page as it is built; the site role says otherwise where its operator has no Google. */
export const googleMark = { on: 'data-google="on"', off: 'data-google="off"' };
