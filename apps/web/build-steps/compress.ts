import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

const compressible = /\.(html|js|css|json|svg|xml|txt|webmanifest|wasm|ico)$/;
/** Compressing a smaller response saves nothing, because it fits one packet anyway. */
const smallest = 1024;

const compressors = [
  {
    encoding: 'br',
    ending: '.br',
    pack: (bytes: Buffer, brotliQuality: number) =>
      promisify(brotliCompress)(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }),
  },
  { encoding: 'gzip', ending: '.gz', pack: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }) },
] as const;

/** Writes `file.br` and `file.gz` beside the file if they are smaller; returns which were written. */
export async function compressFile(path: string, brotliQuality: number): Promise<Encoding[]> {
  if (!compressible.test(path)) return [];
  const bytes = await readFile(path);
  if (bytes.length < smallest) return [];
  const kept: Encoding[] = [];
  for (const { encoding, ending, pack } of compressors) {
    const packed = await pack(bytes, brotliQuality);
    if (packed.length > bytes.length * 0.95) continue;
    await writeFile(path + ending, packed);
    kept.push(encoding);
  }
  return kept;
}
