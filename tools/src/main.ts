import { runAdmin } from './dev/admin.ts';
import { buildAll } from './dev/build.ts';
import { makeBundle } from './dev/bundle.ts';
import { check } from './dev/check.ts';
import { runGate } from './dev/ci.ts';
import { down } from './dev/down.ts';
import { runEndToEnd, takeScreenshots } from './dev/e2e.ts';
import { runNightly } from './dev/nightly.ts';
import { prove } from './dev/prove.ts';
import { writeReference } from './dev/reference.ts';
import { runSlowed } from './dev/slow.ts';
import { showStatus } from './dev/status.ts';
import { up } from './dev/up.ts';

const help = `
  ./dev up [--detach]     start PostgreSQL, NATS, the mail catcher, the server (all roles, reloading) and the web app, and
                          make people to sign in as; --without-people makes none, --without-engines leaves out the
                          first three, which docker compose already runs
  ./dev down              stop exactly what was started here; test engines too, unless tests are running;
                          --erase also deletes the databases, files and emails of development
  ./dev status            what runs, where, and whether it is well

  ./dev check             before a commit, 3 minutes: format, types, lint, dead code, unit and integration tests
  ./dev ci [PART …]       before a merge, 20 minutes: also the build, slow and browser tests, eight proofs; .ci/run calls it
  ./dev nightly [PART …]  everything: variants, languages, browsers, measurements; continues where it was interrupted
  ./dev e2e [NAME]        browser tests; NAME is a project of the configuration or a part of a file's name
  ./dev shots [NAME]      screenshots of every page into .dev/shots; NAME is a part of a file's name
  ./dev prove [NAME …]    one program per claim of the README; without a name, lists them
  ./dev slow COMMAND …    any of these with two busy loops beside it and processes frozen for 3 s at random
  ./dev build             what browsers load
  ./dev bundle [--out DIR]
                          everything that an installation needs, as a folder and a .tar.gz, with the same bytes for the
                          same commit; --architecture arm64 makes it for that processor, --without-build uses the
                          built pages, --without-archive makes no .tar.gz

  ./dev reference         write the pages of docs/operate that are generated from settings and commands

  ./dev admin …           the server's administration: accounts, reports, secrets, moves …; --help lists it
  ./dev help              this page
`;

type Command = (args: string[]) => Promise<number>;

const commands: Record<string, Command> = {
  up,
  down,
  status: showStatus,
  check,
  ci: runGate,
  nightly: runNightly,
  e2e: ([name]) => runEndToEnd(name),
  shots: ([name]) => takeScreenshots(name),
  prove,
  slow: runSlowed,
  build: buildAll,
  bundle: makeBundle,
  reference: writeReference,
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
