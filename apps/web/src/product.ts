export { productName } from '@dostar/protocol/product';

/** Written into prerendered pages; the site role puts the operator's own address in its place. */
export const placeholderOrigin = 'https://dostar.example';

export const productVersion = '0.1';
