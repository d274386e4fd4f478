/** What the address of a database leaves open or is to be replaced in it. Undefined leaves what the address says. */
export interface DatabaseLogin {
  user?: string | undefined;
  password?: string | undefined;
}

export function withLogin(address: string, { user, password }: DatabaseLogin): string {
  if (user === undefined && password === undefined) return address;
  const url = new URL(address);
  if (user !== undefined) url.username = encodeURIComponent(user);
  // The password in an address is that of the user in it.
  if (user !== undefined || password !== undefined) url.password = encodeURIComponent(password ?? '');
  return url.href;
}
