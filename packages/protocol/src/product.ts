/** The product's name: page titles, mails, manifest and docs read it here. */
export const productName = 'Dostar';
