/** Settings and secrets, before anything is opened with them. */
import { stat } from 'node:fs/promises';
import { createECDH } from 'node:crypto';
import { isLoopback } from '../../platform/security/loopback.ts';
import { SECRET_NAMES } from '../../secrets.ts';
import { listPlaintext } from '../../require-tls.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

const NODE_MAJOR = 24;
const READABLE_BY_OTHERS = 0o007;

export const settingsChecks: Check[] = [
  { part: 'settings', run: checkSettings },
  { part: 'secrets', run: checkSecretFiles },
];

async function checkSettings({ config, secrets }: CheckInput): Promise<Finding[]> {
  const findings: Finding[] = [];
  const open = secrets && listPlaintext(config, secrets);
  if (open !== undefined && open !== '') {
    findings.push({
      problem: `the server does not start, because these are neither on this machine nor reached by TLS: ${open}`,
      remedy: 'use TLS, or, for a network that no one else can read, name the host in ALLOW_PLAINTEXT_TO',
    });
  }
  const plain = config.ORIGIN.find((origin) => origin.startsWith('http:') && !isOwnMachine(origin));
  if (plain !== undefined) {
    findings.push({
      problem: `browsers reach ${plain} without TLS and do not stay signed in there`,
      remedy: 'put a proxy with TLS in front and name its https address in ORIGIN',
    });
  }
  const isPublic = config.ORIGIN.some((origin) => !isOwnMachine(origin));
  if (isPublic && config.MAIL_FROM.address.endsWith('@localhost')) {
    findings.push({
      problem: `emails would come from ${config.MAIL_FROM.address}, which mail servers refuse`,
      remedy: 'set MAIL_FROM to an address of a domain of yours',
    });
  }
  if (Number(process.versions.node.split('.')[0]) < NODE_MAJOR) {
    findings.push({ problem: `this is Node ${process.versions.node}`, remedy: `install Node ${NODE_MAJOR} or newer` });
  }
  return findings;
}

function isOwnMachine(origin: string): boolean {
  return isLoopback(new URL(origin).hostname);
}

/** A group may read them, so that the service's user can read files of root. Other users may not. */
async function checkSecretFiles({ env, secrets }: CheckInput): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const name of SECRET_NAMES) {
    const path = env[`${name}_FILE`];
    const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
    if (found && (found.mode & READABLE_BY_OTHERS) !== 0) {
      findings.push({
        problem: `every user of this machine may read ${name} in ${path}`,
        remedy: `chmod o= ${path}, and rotate it if others may have read it`,
      });
    }
  }
  if (secrets?.vapidKey !== undefined && !isPrivateKey(secrets.vapidKey)) {
    findings.push({
      problem: 'VAPID_KEY is not a key',
      remedy: 'restore it from the backup, or make another one with rotate vapid-key',
    });
  }
  return findings;
}

function isPrivateKey(key: string): boolean {
  try {
    createECDH('prime256v1').setPrivateKey(key, 'base64url');
    return true;
  } catch {
    return false;
  }
}
