import { expect, test } from 'vitest';
import { createWorkerCall, serveWorkerCalls, type WorkerEnd } from './worker-rpc.ts';

/** One end that records what it sent, and lets the test choose what it receives. */
function createEnd() {
  const sent: unknown[] = [];
  let listen: ((event: { data: unknown }) => void) | undefined;
  const end: WorkerEnd = {
    postMessage: (message) => void sent.push(message),
    addEventListener: (_type, listener) => {
      listen = listener;
    },
  };
  return { end, sent, hear: (data: unknown) => listen?.({ data }) };
}

const MALFORMED = [null, undefined, 'x', 7, [], {}, { id: '1', result: 1 }, { id: 9, result: 1 }, { progress: 'half' }];

test('the page ignores messages that do not answer one of its calls', async () => {
  const { end, sent, hear } = createEnd();
  const reported: number[] = [];
  const answer = createWorkerCall(end, (progress) => reported.push(progress))('add', 1, 2);
  for (const data of [...MALFORMED, { id: 1 }, { id: 1, failure: {} }]) hear(data);
  hear({ progress: 0.5 });
  hear({ id: 1, result: 3 });
  expect(await answer).toBe(3);
  expect(reported).toEqual([0.5]);
  expect(sent).toEqual([{ id: 1, method: 'add', args: [1, 2] }]);
});

test('the worker runs only its own methods, and only for a well-formed call', async () => {
  const { end, sent, hear } = createEnd();
  const ran: string[] = [];
  const run = async (name: string) => void ran.push(name);
  serveWorkerCalls(end, { run }, String);
  for (const data of MALFORMED) hear(data);
  hear({ id: 1, method: 'toString', args: [] });
  hear({ id: 2, method: 'constructor', args: [] });
  hear({ id: 3, method: 'run', args: 'x' });
  hear({ id: 'a', method: 'run', args: ['x'] });
  hear({ id: 4, method: 'run', args: ['asked'] });
  await expect.poll(() => sent).toEqual([{ id: 4, result: undefined }]);
  expect(ran).toEqual(['asked']);
});
