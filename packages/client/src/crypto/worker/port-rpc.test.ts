import { expect, test } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { createRpcClient, listenForEvents, serveRpc } from './port-rpc.ts';

const MALFORMED = [
  null,
  undefined,
  'ask',
  {},
  { t: 'ask', id: '1', method: 'run' },
  { t: 'ask', id: 1, method: 'run', args: [] },
  { t: 'ask', id: '1', method: 'toString', args: [] },
  { t: 'event' },
  { t: 'done' },
  { t: 'failed', id: '1' },
];

test('both ends discard a malformed message', async () => {
  const { port1, port2 } = new MessageChannel();
  for (const port of [port1, port2]) port.start();
  const ran: string[] = [];
  const heard: string[] = [];
  const run = async (word: string): Promise<string> => (ran.push(word), word);
  serveRpc(port2, { run }, ['run']);
  listenForEvents(port1, (name) => heard.push(name));
  const ask = createRpcClient(port1, { clock: systemClock, newId: () => '1' });
  for (const data of MALFORMED) {
    port1.postMessage(data);
    port2.postMessage(data);
  }
  expect(await ask('run', 'asked')).toBe('asked');
  expect(ran).toEqual(['asked']);
  expect(heard).toEqual([]);
  port1.close();
});
