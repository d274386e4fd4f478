/**
 * An OpenAI-compatible endpoint, if the operator has configured one. Amadeus sends its answer as its own; without an
 * endpoint, Amadeus answers from the tutorials.
 */
import type { Locale } from '@dostar/protocol/contract/accounts';
import { listTutorials } from '../answers/tutorials.ts';
import type { Log } from '../client/open-assistant-client.ts';
import type { Settings } from '../settings.ts';
import { readCompletion } from './read-completion.ts';

const ANSWER_TIMEOUT_MS = 20_000;
const MAX_ANSWER = 4_000;
const LANGUAGES: Record<Locale, string> = { en: 'English', kz: 'Kazakh', ru: 'Russian' };

export interface Model {
  /** Users are told this name before anything is sent to the model. */
  host: string;
  /** Undefined if the model does not answer in time, or answers without text. */
  ask(question: string, locale: Locale): Promise<string | undefined>;
}

type ModelSettings = Pick<Settings, 'AMADEUS_MODEL_URL' | 'AMADEUS_MODEL_NAME' | 'AMADEUS_MODEL_KEY'>;

export function openModel(settings: ModelSettings, log: Log, timeoutMs = ANSWER_TIMEOUT_MS): Model | undefined {
  const { AMADEUS_MODEL_URL: base, AMADEUS_MODEL_NAME: name, AMADEUS_MODEL_KEY: key } = settings;
  if (base === undefined || name === undefined) return undefined;
  return {
    host: new URL(base).host,
    async ask(question, locale) {
      try {
        const reply = await fetch(`${base.replace(/\/$/, '')}/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
          body: JSON.stringify({
            model: name,
            stream: false,
            messages: [
              { role: 'system', content: composeSystemPrompt(locale) },
              { role: 'user', content: question },
            ],
          }),
          // Users agreed to one host, so their text must not follow a redirect to another.
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMs),
        });
        if (!reply.ok) throw new Error(`status ${reply.status}`);
        return (await readCompletion(reply)).slice(0, MAX_ANSWER);
      } catch (error) {
        // The log must not contain the question or the answer.
        log('model did not answer', { why: describeError(error) });
        return undefined;
      }
    },
  };
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.message.startsWith('status ') ? error.message : error.name;
}

function composeSystemPrompt(locale: Locale): string {
  const tutorials = listTutorials(locale).map(({ title, steps, note }) => [title, ...steps, note].join('\n'));
  return [
    'You are Amadeus, the assistant of the messenger Dostar: a program, and you say so when asked.',
    `Answer in the language of the question, otherwise in ${LANGUAGES[locale]}; briefly, kindly, for people who are not at home in computers.`,
    'Answer only from these tutorials. What they do not tell, you do not know: say so.',
    ...tutorials,
  ].join('\n\n');
}
