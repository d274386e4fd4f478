import type { PartResult } from './part.ts';
import { capture } from './capture.ts';

const serious = ['high', 'critical'];

interface AuditReport {
  metadata?: { vulnerabilities: Record<string, number> };
}

/** Known weaknesses of the packages that run in production, as the package registry tells them. */
export async function auditPackages(): Promise<PartResult> {
  const { output } = await capture('pnpm', ['audit', '--prod', '--json']);
  return judgeAudit(output);
}

/** Where nobody answers the question, that is neither a pass nor a failure. */
export function judgeAudit(output: string): PartResult {
  const { metadata } = readReport(output);
  if (!metadata) return { passed: 0, failed: 0, output: 'The registry does not answer audits.' };
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
