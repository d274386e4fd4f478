import { type Group, type GroupName, GROUPS } from '@dostar/protocol/contract/profile';
import type { z } from 'zod';

type Problem = 'email' | 'phone' | 'link' | 'required' | 'tooLong' | 'year' | 'order';

/** By the path of the field, such as `entries.0.school`. */
type Problems = Record<string, Problem>;

/** The group as it can be saved, or what is wrong with it. */
export function checkGroup<Name extends GroupName>(
  name: Name,
  value: Group<Name>,
): { value: Group<Name> } | { problems: Problems } {
  const parsed = GROUPS[name].safeParse(value);
  if (parsed.success) return { value: parsed.data as Group<Name> };
  // Of several problems of one field the first counts: an invalid year is in no order.
  return { problems: Object.fromEntries(parsed.error.issues.map(nameProblem).toReversed()) };
}

function nameProblem({ code, path }: z.core.$ZodIssue): [string, Problem] {
  const [first, , last] = path;
  const place = path.map(String).join('.');
  if (code === 'too_big') return [place, 'tooLong'];
  if (place === 'email') return [place, 'email'];
  if (place === 'phoneNumber' || first === 'phones') return [place, 'phone'];
  if (first === 'links') return [place, 'link'];
  // A problem of both years is shown at the later one.
  if (path.length === 2) return [`${place}.to`, 'order'];
  return [place, last === 'from' || last === 'to' ? 'year' : 'required'];
}
