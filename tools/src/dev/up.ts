import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { installNats } from '../servers/nats.ts';
import { listRecords } from '../servers/records.ts';
import { installDebian } from '../servers/debian.ts';
import { stopStack } from './down.ts';
import { createSamplePeople } from './sample-people.ts';
import {
  migrate,
  startAmadeus,
  startBus,
  startDatabases,
  startGoogle,
  startMailCatcherService,
  startServer,
  startWeb,
} from './services.ts';
import { ports } from './stack.ts';
import { formatSeconds, formatTable } from './table.ts';

export async function up(args: string[]): Promise<number> {
  const begun = performance.now();
  // `docker compose up` runs the engines on the same ports.
  if (!args.includes('--without-engines')) {
    await step('Debian packages', () => installDebian(['postgresql-15']));
    await step('NATS server', installNats);
    await step('Engines', () => Promise.all([startDatabases(), startBus(), startMailCatcherService()]));
  }
  // Compose has no image of the provider, since it is a program of ours.
  await step('OpenID provider', startGoogle);
  await step('Migrations', migrate);
  await step('Server and web app', () => Promise.all([startServer(), startWeb()]));
  await step('Amadeus', startAmadeus);
  const people = args.includes('--without-people') ? undefined : await step('Sample people', createSamplePeople);
  console.log(`\n${describeAddresses(people)}\n\n  Ready in ${formatSeconds(performance.now() - begun)}.`);
  if (args.includes('--detach')) {
    console.log('  Logs are in .dev/log; ./dev status looks after it, ./dev down stops it.');
    return 0;
  }
  console.log('  Ctrl-C stops everything.\n');
  await followLogs();
  await stopStack();
  return 0;
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await work();
  console.log(`  ${name.padEnd(20)} ${formatSeconds(performance.now() - begun)}`);
  return result;
}

function describeAddresses(people: string | undefined): string {
  return formatTable([
    ['Web app', `http://localhost:${ports.web}`],
    ['Server', `http://127.0.0.1:${ports.server}`],
    // The catcher's root answers 404 if its path contains a folder that begins with a dot, as pnpm's do.
    ['Mail', `http://127.0.0.1:${ports.mail}/index.html (SMTP ${ports.smtp})`],
    ['Google', `http://127.0.0.1:${ports.openId} (a stand-in that believes every address)`],
    ['PostgreSQL', `postgres://postgres@127.0.0.1:${ports.postgres}/dostar_directory (and _shard_0, _shard_1)`],
    ['NATS', `nats://127.0.0.1:${ports.nats}`],
    ...(people === undefined ? [] : [['Sign in as', people]]),
  ]);
}

async function followLogs(): Promise<void> {
  const records = listRecords().filter((record) => ['server', 'web', 'amadeus'].includes(record.name));
  const tails = records.map(({ name, log }) => {
    // In its own process group, so that Ctrl-C ends it in our order and not in the terminal's.
    const tail = spawn('tail', ['-n', '5', '-F', log], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    createInterface(tail.stdout).on('line', (line) => console.log(`${name.padEnd(7)} │ ${line}`));
    return tail;
  });
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  console.log('\n  Stopping…');
  for (const tail of tails) tail.kill();
}
