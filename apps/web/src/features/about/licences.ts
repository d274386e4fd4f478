/** Open-source software that runs in the browser or on the server, with its licence. */
export const licences = [
  { name: 'React', use: 'licences.uses.screens', licence: 'MIT' },
  { name: 'React Router', use: 'licences.uses.routes', licence: 'MIT' },
  { name: 'Base UI', use: 'licences.uses.controls', licence: 'MIT' },
  { name: 'Tailwind CSS', use: 'licences.uses.styles', licence: 'MIT' },
  { name: 'Lucide', use: 'licences.uses.icons', licence: 'ISC' },
  { name: 'Onest', use: 'licences.uses.letters', licence: 'OFL 1.1' },
  { name: 'Zod', use: 'licences.uses.rules', licence: 'MIT' },
  { name: 'Fastify', use: 'licences.uses.server', licence: 'MIT' },
  { name: 'PostgreSQL', use: 'licences.uses.data', licence: 'PostgreSQL' },
  { name: 'NATS', use: 'licences.uses.messages', licence: 'Apache 2.0' },
] as const;
