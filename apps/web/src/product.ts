export const productName = 'Dostar';
