import { runAdmin } from './dev/admin.ts';
import { buildAll } from './dev/build.ts';
import { makeBundle } from './dev/bundle.ts';
import { check } from './dev/check.ts';
import { runContinuousIntegration } from './dev/ci.ts';
import { down } from './dev/down.ts';
import { runEndToEnd } from './dev/e2e.ts';
import { prove } from './dev/prove.ts';
import { showStatus } from './dev/status.ts';
import { up } from './dev/up.ts';

const help = `
  ./dev up [--detach]     start PostgreSQL, NATS, the mail catcher, the server (all roles, reloading) and the web app;
                          --without-engines if docker compose already runs the first three
  ./dev down              stop exactly what was started here; test engines too, unless tests are running
  ./dev status            what runs, where, and whether it is well

  ./dev check             format, types, lint, walls, dead code, size, unit and integration tests
  ./dev e2e [NAME]        browser tests; NAME is a project of the configuration or a part of a file's name
  ./dev shots             screenshots of the test pages
  ./dev prove [NAME …]    one program per claim of the README; without a name, lists them
  ./dev build             what browsers load
  ./dev bundle [--out DIR]
                          everything that an installation needs, as a folder and a .tar.gz, with the same bytes for the
                          same commit; --without-build takes the pages that are there, --without-archive packs nothing

  ./dev admin …           the server's administration: accounts, reports, secrets, moves …; --help lists it
  ./dev help              this page
`;

type Command = (args: string[]) => Promise<number>;

const commands: Record<string, Command> = {
  up,
  down,
  status: showStatus,
  check,
  ci: runContinuousIntegration,
  e2e: ([name]) => runEndToEnd(name),
  shots: () => runEndToEnd('shots'),
  prove,
  build: buildAll,
  bundle: makeBundle,
  admin: runAdmin,
};

const [name = 'help', ...args] = process.argv.slice(2);
const command = commands[name];
if (command) {
  try {
    process.exitCode = await command(args);
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
} else {
  console.log(help);
  if (!['help', '--help', '-h'].includes(name)) {
    console.error(`There is no command "${name}".`);
    process.exitCode = 1;
  }
}
