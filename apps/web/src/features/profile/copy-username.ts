import { showFeedback, successDuration } from '../../core/lib/feedback.ts';

interface Sentences {
  empty: string;
  copied: string;
}

export async function copyUsername(username: string, { empty, copied }: Sentences): Promise<void> {
  if (username === '') {
    showFeedback('error', empty);
    return;
  }
  await navigator.clipboard.writeText(username);
  showFeedback('success', copied, successDuration);
}
