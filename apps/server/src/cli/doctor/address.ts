/** What browsers need to reach the server: name, certificate, proxy. */
import { lookup } from 'node:dns/promises';
import { checkServerIdentity } from 'node:tls';
import { readCertificate } from '../../platform/security/certificates.ts';
import { codeOf } from './finding.ts';
import type { Check, Finding, CheckInput } from './finding.ts';

const DAY_MS = 86_400_000;
/** A proxy renews a month before expiry, so two weeks before is late. */
const MIN_DAYS_LEFT = 14;
const TIMEOUT_MS = 15_000;

export const addressChecks: Check[] = [{ part: 'address', run: checkAddresses }];

async function checkAddresses({ config, clock }: CheckInput): Promise<Finding[]> {
  const origins = config.ORIGIN.filter((origin) => origin.startsWith('https:'));
  const found = await Promise.all(origins.map((origin) => checkAddress(new URL(origin), clock.now())));
  return found.flat();
}

/** Returns the first problem only: without a name there is no certificate to check, and without that no answer. */
async function checkAddress(url: URL, now: number): Promise<Finding[]> {
  const { hostname, origin } = url;
  const port = url.port === '' ? 443 : Number(url.port);
  try {
    await lookup(hostname);
  } catch {
    return [
      {
        problem: `the name ${hostname} does not resolve (DNS)`,
        remedy:
          "add an A or AAAA record with this machine's address at your DNS provider, and wait until it is published",
      },
    ];
  }
  try {
    const shown = await readCertificate(hostname, port);
    const bad = checkCertificate(hostname, shown, now);
    return bad ? [bad] : await checkReadiness(origin);
  } catch (error) {
    return [
      {
        problem: `nothing answers with TLS at ${hostname}:${port} (${codeOf(error)})`,
        remedy: 'start the proxy, and open the port in the firewall and the router',
      },
    ];
  }
}

function checkCertificate(
  hostname: string,
  { certificate, distrust }: Awaited<ReturnType<typeof readCertificate>>,
  now: number,
): Finding | undefined {
  const renew =
    "read in the proxy's log why it is not renewed: port 80 is closed, or the name resolves to another machine";
  const endsAt = Date.parse(certificate.valid_to);
  if (endsAt <= now) return { problem: `the certificate of ${hostname} expired on ${day(endsAt)}`, remedy: renew };
  if (checkServerIdentity(hostname, certificate)) {
    return {
      problem: `the certificate at ${hostname} is for another name (${certificate.subjectaltname ?? 'without a name'})`,
      remedy: `let the proxy serve ${hostname}, or correct ORIGIN`,
    };
  }
  if (distrust !== undefined) {
    return {
      problem: `browsers do not trust the issuer of the certificate of ${hostname} (${distrust})`,
      remedy: 'use a certificate of a public authority; a proxy such as Caddy gets one by itself',
    };
  }
  const daysLeft = Math.floor((endsAt - now) / DAY_MS);
  if (daysLeft >= MIN_DAYS_LEFT) return undefined;
  return { problem: `the certificate of ${hostname} expires in ${daysLeft} days`, remedy: renew };
}

async function checkReadiness(origin: string): Promise<Finding[]> {
  const answer = await fetch(new URL('/readyz', origin), {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'manual',
  }).catch((error: unknown) => error as Error);
  if (answer instanceof Error) {
    return [{ problem: `${origin} does not answer a request (${codeOf(answer)})`, remedy: "read the proxy's log" }];
  }
  if (answer.ok) return [];
  return [
    {
      problem: `${origin}/readyz answers ${answer.status}`,
      remedy: 'start Dostar behind the proxy and read its log; the findings below may say why it is not ready',
    },
  ];
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
