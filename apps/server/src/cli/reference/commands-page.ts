import { listUsages } from '../commands.ts';
import { replaceSections, wrapItem } from './sections.ts';

export function renderCommandsPage(page: string): string {
  const commands = listUsages().filter(({ help }) => !help.endsWith('(development)'));
  const items = commands.map(({ usage, help }) => wrapItem(`\`${usage}\`: ${help}`));
  return replaceSections(page, { commands: items.join('\n') });
}
