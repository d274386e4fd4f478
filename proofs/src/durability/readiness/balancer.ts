/** A real HAProxy with `deploy/proxy/haproxy.cfg`, in front of the processes of this proof. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startHaproxy } from '@dostar/tools/servers';
import type { Role } from '@dostar/tools/servers';
import { REPO_ROOT } from '../../harness/lib/engines.ts';

export interface Balancer extends AsyncDisposable {
  url: string;
  /** Whether HAProxy's own check keeps each process, in order. */
  listKept(): Promise<boolean[]>;
}

export async function startBalancer(processes: Role[]): Promise<Balancer> {
  const [port, statusPort] = [await freePort(), await freePort()];
  const config = describeBalancer(processes, port, statusPort);
  const engine = await startHaproxy({ dir: join(REPO_ROOT, '.dev/proofs/readiness/haproxy'), port, config });
  return {
    url: `http://127.0.0.1:${port}`,
    async listKept() {
      const table = await (await fetch(`http://127.0.0.1:${statusPort}/status;csv`)).text();
      return processes.map((_, index) => new RegExp(`^dostar,p${index},.*,UP`, 'm').test(table));
    },
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** Our file without TLS, on free ports, and with these processes. */
function describeBalancer(processes: Role[], port: number, statusPort: number): string {
  const servers = processes.map((each, index) => `  server p${index} 127.0.0.1:${each.port}\n`).join('');
  const given = readFileSync(join(REPO_ROOT, 'deploy/proxy/haproxy.cfg'), 'utf8')
    .replace(/^frontend dostar_http$.*?(?=^frontend)/ms, '')
    .replace(/^ {2}log .*\n/gm, '')
    .replace(/^ {2}bind :443 .*$/m, `  bind 127.0.0.1:${port}`)
    .replace(/^ {2}bind :::443 .*\n/m, '')
    .replaceAll(/^ {2}server one .*\n/gm, servers);
  return `${given}
listen status
  bind 127.0.0.1:${statusPort}
  stats enable
  stats uri /status
`;
}
