interface RequestHeaders {
  origin?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

/** Programs other than browsers send neither header, and have no other user's cookie to misuse. */
export function isOurOrigin(headers: RequestHeaders, origins: string[]): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return headers.origin === undefined || origins.includes(headers.origin);
}
