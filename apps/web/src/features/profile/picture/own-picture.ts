import type { PictureKind, Profile } from '@dostar/protocol/contract/profile';

/** By the name of their bytes: what was just uploaded need not come back over the network. */
const uploaded = new Map<string, string>();

export function rememberPicture(blob: string, bytes: Blob): void {
  uploaded.set(blob, URL.createObjectURL(bytes));
}

/** Where a picture of one's own is; undefined where there is none. */
export function findPicture({ personal, addresses }: Profile, kind: PictureKind): string | undefined {
  const blob = personal.value[kind];
  return blob === null ? undefined : (uploaded.get(blob) ?? addresses[kind] ?? undefined);
}
