/** Measures the memory of a Node process through its inspector port. */
import { once } from 'node:events';
import { WebSocket } from 'ws';

interface Answer {
  id?: number;
  result?: { result?: { value?: unknown } };
}

export interface Inspector extends Disposable {
  /** Bytes in use after a garbage collection: heap and external memory. */
  measureMemory(): Promise<number>;
}

export async function inspect(port: number): Promise<Inspector> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as [
    { webSocketDebuggerUrl: string },
  ];
  const socket = new WebSocket(targets[0].webSocketDebuggerUrl, { perMessageDeflate: false });
  await once(socket, 'open');
  let calls = 0;

  async function call(method: string, params = {}): Promise<Answer> {
    const id = (calls += 1);
    socket.send(JSON.stringify({ id, method, params }));
    for await (const [data] of onMessage()) {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id === id) return answer;
    }
    throw new Error('the inspector closed its socket');
  }

  async function* onMessage(): AsyncGenerator<unknown[]> {
    while (socket.readyState === WebSocket.OPEN) yield (await once(socket, 'message')) as unknown[];
  }

  return {
    async measureMemory() {
      await call('HeapProfiler.collectGarbage');
      const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())';
      const { result } = await call('Runtime.evaluate', { expression });
      return Number(result?.result?.value);
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}
