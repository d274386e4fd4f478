export { productName } from '@dostar/protocol/product';
