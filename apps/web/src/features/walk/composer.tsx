import type { Client } from '@dostar/client';
import type { AccountId } from '@dostar/protocol/ids';
import { type FormEvent, useId, useState } from 'react';

interface ComposerProps {
  client: Client;
  to: AccountId;
}

export function Composer({ client, to }: ComposerProps) {
  const [text, setText] = useState('');
  const [hasFailed, setHasFailed] = useState(false);
  const field = useId();

  async function handleSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const words = text.trim();
    if (words === '') return;
    setText('');
    try {
      await client.sendText({ to, text: words });
      setHasFailed(false);
    } catch {
      // Too long, or the disk is full: the words go back to where they can be changed.
      setText(words);
      setHasFailed(true);
    }
  }

  return (
    <form onSubmit={(event) => void handleSubmit(event)} className="grid gap-1">
      <label htmlFor={field} className="text-sm">
        Your note
      </label>
      <div className="flex gap-2">
        <input
          id={field}
          value={text}
          onChange={(event) => setText(event.target.value)}
          autoComplete="off"
          aria-invalid={hasFailed}
          className="min-h-11 min-w-0 flex-1 rounded-lg border border-current/40 bg-transparent px-3 text-base"
        />
        <button type="submit" className="min-h-11 rounded-lg border border-current px-4 font-semibold">
          Send
        </button>
      </div>
      {hasFailed && (
        <p role="alert" className="text-sm">
          This note could not be kept on your device.
        </p>
      )}
    </form>
  );
}
