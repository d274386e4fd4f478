import type { Client, Message } from '@dostar/client';
import { directChat } from '@dostar/protocol/ids';
import { useLive } from '../../core/use-live.ts';
import type { Walk } from './walk-link.ts';

const NEWEST = 200;

interface TimelineProps {
  client: Client;
  walk: Walk;
}

export function Timeline({ client, walk }: TimelineProps) {
  const messages = useLive(client.live.timeline(directChat(walk.me, walk.peer), NEWEST));
  return (
    <section
      role="log"
      aria-label="Notes"
      aria-busy={messages === undefined}
      // The keyboard must be able to scroll what a mouse can.
      tabIndex={0}
      // Reversed, so that the browser itself keeps the newest in view.
      className="flex min-h-0 flex-1 flex-col-reverse overflow-y-auto rounded-lg border border-current/20 p-3"
    >
      {messages?.length === 0 && <p className="m-auto opacity-70">Nothing has been said yet.</p>}
      <ol className="mb-auto grid gap-2">
        {messages?.map((message) => (
          <Note key={message.id} message={message} client={client} isOwn={message.sender === walk.me} />
        ))}
      </ol>
    </section>
  );
}

interface NoteProps {
  message: Message;
  client: Client;
  isOwn: boolean;
}

function Note({ message: { id, shows, status, error }, client, isOwn }: NoteProps) {
  const content = shows.state === 'content' ? shows.content : undefined;
  const text = content?.kind === 'text' ? content.text : '…';
  return (
    <li
      className={`max-w-[85%] rounded-lg border border-current/20 px-3 py-2 ${isOwn ? 'justify-self-end' : 'justify-self-start'}`}
    >
      <span className="sr-only">{isOwn ? 'You: ' : 'They: '}</span>
      <span data-testid="words" className="break-words whitespace-pre-wrap">
        {text}
      </span>
      {isOwn && (
        <span data-testid="status" className="block text-end text-xs opacity-70">
          {status === 'failed' ? `failed: ${error}` : status}
        </span>
      )}
      {isOwn && status === 'failed' && (
        <button type="button" className="min-h-11 text-sm underline" onClick={() => void client.retryMessage(id)}>
          Try again
        </button>
      )}
    </li>
  );
}
