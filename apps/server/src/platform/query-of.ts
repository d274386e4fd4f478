/** Never throws: a request may name a whole address, which need not be a valid one. */
export function queryOf({ url = '' }: { url?: string | undefined }): URLSearchParams {
  const cut = url.indexOf('?');
  return new URLSearchParams(cut === -1 ? '' : url.slice(cut));
}
