import { canConfine } from '../../platform/pictures/confine.ts';
import type { Check, Finding } from './finding.ts';

export const pictureChecks: Check[] = [{ part: 'pictures', run: checkConfinement }];

async function checkConfinement(): Promise<Finding[]> {
  if (await canConfine()) return [];
  return [
    {
      problem: 'the process that decodes uploaded pictures can read the secrets: Landlock is not available',
      remedy: 'run a kernel of 5.13 or newer with Landlock, and a container engine whose seccomp profile allows it',
    },
  ];
}
