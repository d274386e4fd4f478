/** A photo as small as a list shows it; addresses of others than people's photos stay as they are. */
export function toSmallPhoto(address: string | undefined): string | undefined {
  return address?.startsWith('/api/profile/picture?') ? `${address}&small` : address;
}
