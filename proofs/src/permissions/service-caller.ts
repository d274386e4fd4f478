import { randomAddress } from '@dostar/client/testing/http-browser';

/** Somebody who calls `/v1`, each time from elsewhere, so that no limit refuses what a rule should. */
export class ServiceCaller {
  readonly headers: Record<string, string>;
  readonly #url: string;

  constructor(url: string, project: string, headers: Record<string, string> = {}) {
    this.#url = `${url}/v1`;
    this.headers = { 'x-appwrite-project': project, ...headers };
  }

  async call(method: string, path: string, body?: object | FormData): Promise<{ status: number; headers: Headers }> {
    const isForm = body instanceof FormData;
    const reply = await fetch(this.#url + path, {
      method,
      headers: {
        ...this.headers,
        'x-forwarded-for': randomAddress(),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    await reply.arrayBuffer();
    return { status: reply.status, headers: reply.headers };
  }
}

export async function createUpload(
  caller: ServiceCaller,
  path: string,
  id: string,
  permissions: readonly string[] | undefined,
): Promise<{ status: number }> {
  const form = new FormData();
  form.set('fileId', id);
  for (const permission of permissions ?? []) form.append('permissions[]', permission);
  form.set('file', new File(['bytes'], 'a.txt'));
  return caller.call('POST', path, form);
}
