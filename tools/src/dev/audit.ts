import type { PartResult } from './part.ts';
import { capture } from './capture.ts';

const serious = ['high', 'critical'];

interface AuditReport {
  metadata?: { vulnerabilities: Record<string, number> };
}

/** Fails on known vulnerabilities in production packages, as reported by the package registry. */
export async function auditPackages(): Promise<PartResult> {
  const { output } = await capture('pnpm', ['audit', '--prod', '--json']);
  return judgeAudit(output, process.env['AUDIT_OFFLINE'] === '1');
}

/**
 * Without an answer nothing was checked, which is a failure unless `AUDIT_OFFLINE=1` says that no registry is
 * reachable.
 */
export function judgeAudit(output: string, isOffline: boolean): PartResult {
  const { metadata } = readReport(output);
  if (!metadata) {
    const reason = 'The registry does not answer audits. AUDIT_OFFLINE=1 passes over this.';
    return { passed: 0, failed: isOffline ? 0 : 1, output: `${reason}\n${output}` };
  }
  const found = serious.reduce((sum, level) => sum + (metadata.vulnerabilities[level] ?? 0), 0);
  return { passed: found === 0 ? 1 : 0, failed: found, output };
}

function readReport(output: string): AuditReport {
  try {
    return JSON.parse(output.slice(output.indexOf('{'))) as AuditReport;
  } catch {
    return {};
  }
}
