import type { Clock } from '../../platform/concurrency/clock.ts';
import { measureSkew } from './finding.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

/** Codes of authenticator apps and push signatures tolerate half a minute. */
const MAX_CLOCK_SKEW_MS = 10_000;
const TIMEOUT_MS = 15_000;

export const clockChecks: Check[] = [{ part: 'clock', run: checkClock }];

/** Compares with a server outside, if one answers: a machine and its databases may be wrong together. */
async function checkClock({ config, clock }: CheckInput): Promise<Finding[]> {
  const hosts = config.PUSH_HOSTS.filter((host) => !host.startsWith('*.'));
  const skews = await Promise.all(
    hosts.map((host) => readSkew(host.startsWith('https:') ? host : `https://${host}`, clock)),
  );
  const skewMs = skews.find((skew) => skew !== undefined) ?? 0;
  if (skewMs <= MAX_CLOCK_SKEW_MS) return [];
  return [
    {
      problem: `the clock of this machine is wrong by ${Math.round(skewMs / 1_000)} seconds`,
      remedy: 'let chrony or systemd-timesyncd keep it; codes of authenticator apps and pushes fail meanwhile',
    },
  ];
}

async function readSkew(url: string, clock: Clock): Promise<number | undefined> {
  const askedAt = clock.now();
  const answer = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined);
  const theirs = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(theirs) ? undefined : measureSkew(theirs, askedAt, clock.now());
}
