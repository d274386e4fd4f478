/** Never throws, unlike `new URL`: the request target may be an absolute URL that is invalid. */
export function queryOf({ url = '' }: { url?: string | undefined }): URLSearchParams {
  const cut = url.indexOf('?');
  return new URLSearchParams(cut === -1 ? '' : url.slice(cut));
}
