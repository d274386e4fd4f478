/**
 * Files of the web app, read once and kept in memory, so that no request waits for work.
 *
 * Pages contain placeholders for the operator's address and for sign-in with Google. They are rewritten and compressed on
 * first use; all other files are sent as the build compressed them.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { File, Page, SiteManifest } from './manifest.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

export interface EncodedFile {
  bytes: Buffer;
  etag: string;
  encoding: Encoding;
}

const ENDINGS = { br: '.br', gzip: '.gz', identity: '' };
const IS_REWRITTEN = /\.(html|xml|txt)$/;
/** Each page is compressed once per start. Half a second for all of them is worth a tenth fewer bytes. */
const COMPRESSION_LEVEL = 9;

interface StaticFilesOptions {
  root: string;
  manifest: Pick<SiteManifest, 'placeholder' | 'google'>;
  origin: string;
  hasGoogle: boolean;
}

export class StaticFiles {
  readonly #options: StaticFilesOptions;
  readonly #cache = new Map<string, Promise<EncodedFile>>();

  constructor(options: StaticFilesOptions) {
    this.#options = options;
  }

  fetch(entry: Page | File, accepted: string): Promise<EncodedFile> {
    const encoding = choose(entry.encodings, accepted);
    const key = `${encoding} ${entry.file}`;
    const known = this.#cache.get(key);
    if (known) return known;
    const made = this.#prepare(entry, encoding);
    // A failed read may succeed next time.
    made.catch(() => this.#cache.delete(key));
    this.#cache.set(key, made);
    return made;
  }

  async #prepare({ file, etag }: Page | File, encoding: Encoding): Promise<EncodedFile> {
    const { root } = this.#options;
    if (IS_REWRITTEN.test(file)) {
      const built = await readFile(join(root, file), 'utf8');
      const text = this.#rewrite(built);
      if (text !== built) {
        const plain = Buffer.from(text);
        return { bytes: await pack(plain, encoding), etag: mark(etagOf(plain), encoding), encoding };
      }
    }
    return { bytes: await readFile(join(root, file + ENDINGS[encoding])), etag: mark(etag, encoding), encoding };
  }

  #rewrite(text: string): string {
    const { manifest, origin, hasGoogle } = this.#options;
    const addressed = text.replaceAll(manifest.placeholder, origin);
    return hasGoogle ? addressed : addressed.replace(manifest.google.on, manifest.google.off);
  }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/** Each encoding needs its own etag. */
function mark(etag: string, encoding: Encoding): string {
  return encoding === 'identity' ? etag : etag.replace(/"$/, `-${encoding}"`);
}

function choose(offered: ('br' | 'gzip')[], accepted: string): Encoding {
  const wanted = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part): [string, boolean] => {
        const [name = '', ...details] = part.split(';').map((word) => word.trim());
        return [name, !details.some((detail) => /^q=0(\.0+)?$/.test(detail))];
      }),
  );
  return offered.find((encoding) => wanted.get(encoding) ?? wanted.get('*') ?? false) ?? 'identity';
}

async function pack(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: COMPRESSION_LEVEL } });
    case 'gzip':
      return promisify(gzip)(bytes, { level: COMPRESSION_LEVEL });
    case 'identity':
      return bytes;
  }
}
