/** The small version of a person's photo, for lists; other addresses stay as they are. */
export function toSmallPhoto(address: string | undefined): string | undefined {
  return address?.startsWith('/api/profile/picture?') ? `${address}&small` : address;
}
