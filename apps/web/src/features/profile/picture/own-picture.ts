import type { PictureKind, Profile } from '@dostar/protocol/contract/profile';

/** Object URLs of uploaded pictures by blob id, so that they are not downloaded again. */
const uploaded = new Map<string, string>();

export function rememberPicture(blob: string, bytes: Blob): void {
  uploaded.set(blob, URL.createObjectURL(bytes));
}

/** Address of the user's own picture; undefined if there is none. */
export function findPicture({ personal, addresses }: Profile, kind: PictureKind): string | undefined {
  const blob = personal.value[kind];
  return blob === null ? undefined : (uploaded.get(blob) ?? addresses[kind] ?? undefined);
}
