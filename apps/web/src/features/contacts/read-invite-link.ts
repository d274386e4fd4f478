/** The part of an invitation that stands behind the `#`, alone or in a whole link; its page looks at it more closely. */
export function readInviteLink(text: string): string | undefined {
  return /(?:^|#)([\w-]{43}\.[\w-]{22})$/.exec(text.trim())?.[1];
}
