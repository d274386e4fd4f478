/** Reads the invite from a link's fragment or a bare fragment. Checks only the format; the invite page validates it. */
export function readInviteLink(text: string): string | undefined {
  return /(?:^|#)([\w-]{43}\.[\w-]{22})$/.exec(text.trim())?.[1];
}
