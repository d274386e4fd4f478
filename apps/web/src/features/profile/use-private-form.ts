import type { Client, PrivateProfile } from '@dostar/client';
import { type FormEvent, useEffect, useState } from 'react';
import { showFeedback, successDuration } from '../../core/lib/feedback.ts';
import { focusFirstProblem } from './focus-first-problem.ts';
import { type Draft, useDraft } from './use-draft.ts';

interface PrivateFormOptions<Part extends keyof PrivateProfile> {
  client: Client;
  part: Part;
  kept: PrivateProfile[Part];
  sentences: { saved: string; failed: string };
  /** Whether the value is valid and can be saved. */
  check?: (value: PrivateProfile[Part]) => boolean;
  onDirtyChange: (isDirty: boolean) => void;
}

export interface PrivateFormState<Part extends keyof PrivateProfile> {
  draft: Draft<PrivateProfile[Part]>;
  change: (changes: Partial<PrivateProfile[Part]>) => void;
  isSaving: boolean;
  handleSubmit: (event: FormEvent<HTMLFormElement>) => void;
  keepMine: () => void;
}

/** Form for data that only the user can read: stored encrypted here and synced to the user's other devices. */
export function usePrivateForm<Part extends keyof PrivateProfile>(
  options: PrivateFormOptions<Part>,
): PrivateFormState<Part> {
  const { client, part, kept, sentences, check = () => true, onDirtyChange } = options;
  const [isSaving, setIsSaving] = useState(false);
  const draft = useDraft(kept, isSaving);
  const { isDirty, value } = draft;

  useEffect(() => onDirtyChange(isDirty), [isDirty, onDirtyChange]);

  async function save(): Promise<void> {
    setIsSaving(true);
    try {
      const trimmed = trim(value);
      await client.savePrivateProfile({ [part]: trimmed });
      draft.settle(trimmed);
      showFeedback('success', sentences.saved, successDuration);
    } catch {
      showFeedback('error', sentences.failed);
    } finally {
      setIsSaving(false);
    }
  }

  return {
    draft,
    change: (changes) => draft.change({ ...value, ...changes }),
    isSaving,
    handleSubmit(event) {
      event.preventDefault();
      if (!isDirty || isSaving) return;
      if (check(value)) void save();
      else focusFirstProblem();
    },
    keepMine() {
      draft.keepMine();
      void save();
    },
  };
}

function trim<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).map(([name, line]) => [name, String(line).trim()])) as T;
}
