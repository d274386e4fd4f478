import { CircleAlert } from 'lucide-react';

interface FieldNoteProps {
  id: string;
  hint?: string | undefined;
  error?: string | undefined;
}

/** The error below a field, or otherwise its hint. A live region: screen readers announce a new error. */
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
