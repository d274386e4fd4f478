import { randomAddress } from '@dostar/client/testing/http-browser';

/** A client of `/v1`. Each call has another address, so that rules refuse it and not rate limits. */
export class AppwriteClient {
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
