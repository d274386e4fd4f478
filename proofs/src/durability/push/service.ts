/** Controls the push service process from the proof. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Answer } from '../../../../apps/server/test/push-service.ts';

export interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** A request, and what the browser decrypts from it if the service accepted it. */
export interface ShownPush {
  endpoint: string;
  at: number;
  status: number;
  bytes: number;
  topic: string | undefined;
  text: string | undefined;
}

export interface RawPush {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export type ServiceCommand =
  | { do: 'open' | 'read' | 'raw' | 'times' | 'forget' | 'complaints' }
  | { do: 'add'; count: number }
  | { do: 'answer'; endpoint: string; answers: Answer[] }
  | { do: 'hold'; isHeld: boolean };

export interface Service extends Disposable {
  origin: string;
  certificate: string;
  add(count: number): Promise<Subscription[]>;
  answer(endpoint: string, answers: Answer[]): Promise<void>;
  hold(isHeld: boolean): Promise<void>;
  read(): Promise<ShownPush[]>;
  raw(): Promise<RawPush[]>;
  times(): Promise<number[]>;
  forget(): Promise<void>;
  complaints(): Promise<string[]>;
}

export async function startService(publicKey: string): Promise<Service> {
  const env = { ...process.env, PUSH_PUBLIC_KEY: publicKey };
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const child = fork(join(import.meta.dirname, 'main.ts'), { env, stdio: [...stdio] });
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked = 0;
  child.on('message', ({ id, answer }: { id: number; answer: unknown }) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  function ask<T>(what: ServiceCommand): Promise<T> {
    asked += 1;
    const id = asked;
    return new Promise<T>((resolve) => {
      waiting.set(id, resolve as (answer: unknown) => void);
      child.send({ ...what, id });
    });
  }
  const opened = await ask<{ origin: string; certificate: string }>({ do: 'open' });
  return {
    ...opened,
    add: (count) => ask({ do: 'add', count }),
    answer: (endpoint, answers) => ask({ do: 'answer', endpoint, answers }),
    hold: (isHeld) => ask({ do: 'hold', isHeld }),
    read: () => ask({ do: 'read' }),
    raw: () => ask({ do: 'raw' }),
    times: () => ask({ do: 'times' }),
    forget: () => ask({ do: 'forget' }),
    complaints: () => ask({ do: 'complaints' }),
    [Symbol.dispose]: () => void child.kill(),
  };
}
