import { renderCommandsPage } from './commands-page.ts';
import { renderConfigurationPage } from './configuration-page.ts';

/** The pages with generated sections, by their path in the repository. */
export const PAGES: Readonly<Record<string, (page: string) => string>> = {
  'docs/operate/configuration.md': renderConfigurationPage,
  'docs/operate/commands.md': renderCommandsPage,
};
