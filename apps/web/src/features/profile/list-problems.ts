import { type Group, type GroupName, GROUPS } from '@dostar/protocol/contract/profile';
import type { z } from 'zod';

type Problem = 'email' | 'phone' | 'link' | 'required' | 'tooLong' | 'year' | 'order';

/** Problems by field path, such as `entries.0.school`. */
type Problems = Record<string, Problem>;

/** The parsed group, ready to save, or its problems. */
export function checkGroup<Name extends GroupName>(
  name: Name,
  value: Group<Name>,
): { value: Group<Name> } | { problems: Problems } {
  const parsed = GROUPS[name].safeParse(value);
  if (parsed.success) return { value: parsed.data as Group<Name> };
  // The first problem of a field wins: an invalid year is not also reported as out of order.
  return { problems: Object.fromEntries(parsed.error.issues.map(nameProblem).toReversed()) };
}

function nameProblem({ code, path }: z.core.$ZodIssue): [string, Problem] {
  const [first, , last] = path;
  const place = path.map(String).join('.');
  if (code === 'too_big') return [place, 'tooLong'];
  if (place === 'email') return [place, 'email'];
  if (place === 'phoneNumber' || first === 'phones') return [place, 'phone'];
  if (first === 'links') return [place, 'link'];
  // A problem of the year range is shown at its end.
  if (path.length === 2) return [`${place}.to`, 'order'];
  return [place, last === 'from' || last === 'to' ? 'year' : 'required'];
}
