/** Reads the text of a completion. Some servers stream it even if a single response was requested. */
import { z } from 'zod';

/** More than the size of any answer. */
const MAX_BYTES = 256 * 1024;

const Completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });
const CompletionChunk = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }) })),
});
const CompletionText = z.string().trim().min(1);

/** Throws if there is no text. */
export async function readCompletion(reply: Response): Promise<string> {
  const text = await readText(reply);
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  return CompletionText.parse(
    isStream ? joinChunks(text) : Completion.parse(JSON.parse(text)).choices[0]?.message.content,
  );
}

async function readText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error('too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Throws if the stream has no end mark, because an incomplete answer must not be sent. */
function joinChunks(text: string): string {
  const events = text.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []));
  if (events.at(-1) !== '[DONE]') throw new Error('cut off');
  return events
    .slice(0, -1)
    .map((event) => CompletionChunk.parse(JSON.parse(event)).choices[0]?.delta.content ?? '')
    .join('');
}
