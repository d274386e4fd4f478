export function readCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split('; ').find((part) => part.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** `__Host-`: only over TLS (or on localhost), only for this host, never readable by a script. */
export function hostCookie(name: string, value: string | undefined, maxAgeMs = 0): string {
  const seconds = value === undefined ? 0 : Math.floor(maxAgeMs / 1000);
  return `${name}=${value ?? ''}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}
