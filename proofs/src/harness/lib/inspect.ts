/** Looks into a running Node process through its inspector port. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

interface Answer {
  id?: number;
  result?: { result?: { value?: unknown } };
}

export interface Inspector extends Disposable {
  /** Bytes in use after a garbage collection: heap and external memory. */
  measureMemory(): Promise<number>;
  /** Evaluates an expression in the process and returns its value as JSON. */
  evaluate(expression: string): Promise<unknown>;
}

/** Calls that are unanswered when the process ends are rejected. */
export async function inspect(port: number): Promise<Inspector> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ];
  const socket = new WebSocket(targets[0].webSocketDebuggerUrl, { perMessageDeflate: false });
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let calls = 0;
  socket.on('message', (data) => {
    const answer = JSON.parse((data as Buffer).toString()) as Answer;
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('the inspector closed its socket'));
    waiting.clear();
  });

  async function call(method: string, params = {}): Promise<Answer> {
    if (socket.readyState !== WebSocket.OPEN) throw new Error('the inspector closed its socket');
    const id = (calls += 1);
    const answer = Promise.withResolvers<Answer>();
    waiting.set(id, answer);
    socket.send(JSON.stringify({ id, method, params }));
    return answer.promise;
  }

  async function evaluate(expression: string): Promise<unknown> {
    const { result } = await call('Runtime.evaluate', { expression, returnByValue: true });
    return result?.result?.value;
  }

  return {
    evaluate,
    async measureMemory() {
      await call('HeapProfiler.collectGarbage');
      return Number(await evaluate('(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'));
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}
