/** Checks the installation's files without installing anything. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { REPO_ROOT } from '../../harness/lib/engines.ts';
import type { Report } from '../../harness/lib/report.ts';

const run = promisify(execFile);
const FOLDER = join(REPO_ROOT, 'deploy/debian');
const SCRIPTS = [
  'debian/install.sh',
  'debian/dostar',
  'compose/init',
  'compose/assistant-account',
  'backup/dostar-backup',
];
/** In systemd's rating 10 is a process without any restriction. */
const MOST_EXPOSED = 3;
const REQUIRED = [
  'NoNewPrivileges=yes',
  'ProtectSystem=strict',
  'CapabilityBoundingSet=',
  'SystemCallFilter=@system-service',
];

export async function proveFiles(report: Report): Promise<void> {
  for (const script of SCRIPTS) {
    const path = join(FOLDER, '..', script);
    report.check('scripts are bash', await succeeds('bash', ['-n', path]), () => script);
    if (existsSync('/usr/bin/shellcheck')) {
      report.check('shellcheck reports nothing', await succeeds('shellcheck', ['-x', path]), () => script);
    }
  }
  for (const unit of readdirSync(join(FOLDER, 'units'))) {
    const text = readFileSync(join(FOLDER, 'units', unit), 'utf8');
    for (const line of REQUIRED)
      report.check('units are hardened', text.includes(`\n${line}`), () => `${unit}: ${line}`);
    if (existsSync('/usr/bin/systemd-analyze')) await analyze(report, unit, text);
  }
}

/** Analyzes a copy of the unit with existing programs, since nothing is installed here. */
async function analyze(report: Report, unit: string, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dostar-units-'));
  try {
    const path = join(folder, unit);
    // Removes dependencies on units that an installation brings.
    const alone = text.replaceAll(/^(Exec\w+)=\S+/gm, '$1=/bin/true').replaceAll(/^(?:After|Wants)=.*\n/gm, '');
    writeFileSync(path, alone);
    const verified = await run('systemd-analyze', ['verify', path]).catch(
      (error: unknown) => error as { stderr: string },
    );
    report.check('systemd understands the units', verified.stderr.trim() === '', () => verified.stderr);
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', path]);
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1] ?? 10);
    report.check(
      'systemd-analyze rates the exposure of units as low',
      exposure <= MOST_EXPOSED,
      () => `${unit}: ${exposure}`,
    );
    report.figure(`exposure of ${unit} (of 10)`, exposure);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function succeeds(program: string, args: string[]): Promise<boolean> {
  return run(program, args, { cwd: REPO_ROOT }).then(
    () => true,
    (error: unknown) => {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      console.log(stdout + stderr);
      return false;
    },
  );
}
