/** A file with bytes derived from its number, sent in chunks: in random order, concurrently, and some twice. */
import { createCipheriv, createHash } from 'node:crypto';
import { call, FILES } from './uploaders.ts';
import type { ServerEndpoints, Uploader } from './uploaders.ts';

const CHUNK = 5_242_880;

export interface Plan {
  id: string;
  seed: number;
  size: number;
  /** The order of all chunks after the first, which is sent alone. */
  order: number[];
  /** Chunks that are sent again after they arrived. */
  again: number[];
  /** `abandoned`: one chunk is never sent. `deleted`: the file is deleted after its upload. */
  end: 'kept' | 'abandoned' | 'deleted';
}

export function planUpload(n: number, random: () => number, maxBytes: number): Plan {
  // Sizes are spread evenly over the orders of magnitude.
  const size = Math.max(1, Math.floor(maxBytes ** random()));
  const chunks = Math.ceil(size / CHUNK);
  const rest = Array.from({ length: chunks - 1 }, (_, k) => k + 1);
  const order = rest.map((chunk) => ({ chunk, at: random() })).toSorted((one, other) => one.at - other.at);
  const luck = random();
  const end = luck < 0.1 && chunks > 1 ? 'abandoned' : luck < 0.2 ? 'deleted' : 'kept';
  return {
    id: `file${n}`,
    seed: n,
    size,
    order: order.map(({ chunk }) => chunk),
    again: [0, ...rest].filter(() => random() < 0.2),
    end,
  };
}

/** The bytes of a chunk: a pseudorandom stream determined by the seed. */
function chunkOf({ seed, size }: Pick<Plan, 'seed' | 'size'>, chunk: number): Buffer {
  const key = createHash('md5').update(`${seed} ${chunk}`).digest();
  const length = Math.min(CHUNK, size - chunk * CHUNK);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length));
}

export function hashOf(plan: Plan): string {
  const hash = createHash('sha256');
  for (let chunk = 0; chunk * CHUNK < plan.size; chunk += 1) hash.update(chunkOf(plan, chunk));
  return hash.digest('hex');
}

/** Returns whether the server reported the file as complete. */
export async function upload(
  endpoints: ServerEndpoints,
  person: Uploader,
  plan: Plan,
  atOnce: number,
): Promise<boolean> {
  let isWhole = await send(endpoints, person, plan, 0);
  // An abandoned upload never sends one of its chunks.
  const waiting = plan.end === 'abandoned' ? plan.order.slice(1) : [...plan.order];
  const work = async (): Promise<void> => {
    for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) {
      if (await send(endpoints, person, plan, chunk)) isWhole = true;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const chunk of plan.again) {
    if (plan.end === 'abandoned' && chunk === plan.order[0]) continue;
    if (await send(endpoints, person, plan, chunk)) isWhole = true;
  }
  return isWhole;
}

async function send(endpoints: ServerEndpoints, person: Uploader, plan: Plan, chunk: number): Promise<boolean> {
  const bytes = new Uint8Array(chunkOf(plan, chunk));
  const from = chunk * CHUNK;
  const { status, bytes: said } = await call(
    endpoints,
    FILES,
    () => {
      const body = new FormData();
      body.set('fileId', plan.id);
      body.set('file', new File([bytes], 'noise.bin'));
      const range = `bytes ${from}-${from + bytes.length - 1}/${plan.size}`;
      return { method: 'POST', headers: { 'content-range': range, 'x-appwrite-id': plan.id }, body };
    },
    person,
  );
  if (status !== 201) throw new Error(`${plan.id} chunk ${chunk}: ${status} ${said.toString().slice(0, 200)}`);
  const { chunksUploaded, chunksTotal } = JSON.parse(said.toString()) as Record<string, number>;
  return chunksUploaded === chunksTotal;
}
