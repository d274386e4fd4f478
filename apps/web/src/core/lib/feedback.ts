import { createStore, useStore } from './store.ts';

export interface Feedback {
  state: 'idle' | 'success' | 'error';
  message: string;
  duration: number;
}

export const feedbackDuration = 60_000;
/** Success messages disappear sooner than others. */
export const successDuration = 5000;

const idle: Feedback = { state: 'idle', message: '', duration: feedbackDuration };
const store = createStore<Feedback>(idle);
let timer: ReturnType<typeof setTimeout> | undefined;

export function useFeedback(): Feedback {
  return useStore(store, idle);
}

export function readFeedback(): Feedback {
  return store.read();
}

export function dismissFeedback(): void {
  clearTimeout(timer);
  store.write(idle);
}

export function showFeedback(state: 'success' | 'error', message: string, duration: number = feedbackDuration): void {
  clearTimeout(timer);
  store.write({ state, message, duration });
  timer = setTimeout(dismissFeedback, duration);
}
