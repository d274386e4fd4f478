import { CircleAlert } from 'lucide-react';

interface FieldNoteProps {
  id: string;
  hint?: string | undefined;
  error?: string | undefined;
}

/** What stands below a field: its error, or else its hint. The place is announced when an error arrives in it. */
export function FieldNote({ id, hint, error }: FieldNoteProps) {
  return (
    <div id={id} aria-live="polite" className="text-small">
      {error !== undefined ? (
        <p className="mt-1.5 flex items-start gap-1.5 text-danger">
          <CircleAlert aria-hidden className="mt-px size-4 shrink-0" />
          {error}
        </p>
      ) : (
        hint !== undefined && <p className="mt-1.5 text-muted">{hint}</p>
      )}
    </div>
  );
}
