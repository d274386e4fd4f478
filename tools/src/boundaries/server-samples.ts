// Which folder of the server imports which.
import { file, linter } from './sample.ts';
import type { Sample } from './sample.ts';

const feature = 'apps/server/src/features/people';
const messaging = 'apps/server/src/features/messaging';
const platform = 'apps/server/src/platform';

export const serverDirections: Sample[] = [
  linter(
    'the server never opens a message',
    'The server never opens a message.',
    file('apps/server/src/roles/bad-engine.ts', "export { OlmMachine } from '@matrix-org/matrix-sdk-crypto-wasm';"),
    file('apps/server/src/roles/good-engine.ts', "export { AppError } from '@dostar/protocol/errors';"),
  ),
  linter(
    'a store speaks SQL and does not call its service',
    'A store speaks SQL and nothing else.',
    file(`${feature}/bad-store/store.ts`, "export { decide } from './service.ts';"),
    file(`${feature}/good-store/store.ts`, "export { query } from '../../../platform/postgres/pools.ts';"),
  ),
  linter(
    'a store does not publish to the bus',
    'A store speaks SQL and nothing else.',
    file(`${feature}/bad-bus/store.ts`, "export { publish } from '../../../platform/bus/bus.ts';"),
    file(`${feature}/good-bus/service.ts`, "export { publish } from '../../../platform/bus/bus.ts';"),
  ),
  linter(
    'a service does not know HTTP',
    'Services do not know HTTP.',
    file(`${feature}/bad-http/service.ts`, "export { fastify } from 'fastify';"),
    file(`${feature}/good-http/service.ts`, "export { list } from './store.ts';"),
  ),
  linter(
    'a service does not know how HTTP is mounted',
    'Services do not know HTTP.',
    file(`${feature}/bad-mount/service.ts`, "export { mount } from '../../../platform/http/server.ts';"),
    file(`${feature}/good-mount/routes.ts`, "export { mount } from '../../../platform/http/server.ts';"),
  ),
  linter(
    "a store does not know another feature's service",
    'A store speaks SQL and nothing else.',
    file(`${feature}/bad-neighbour/store.ts`, "export { decide } from '../good-http/service.ts';"),
    file(`${feature}/good-neighbour/service.ts`, "export { decide } from '../good-http/service.ts';"),
  ),
  linter(
    'a service does not know its routes',
    'Services do not know HTTP.',
    file(`${feature}/bad-routes/service.ts`, "export { mount } from './routes.ts';"),
    file(`${feature}/good-routes/routes.ts`, "export { decide } from './service.ts';"),
  ),
  linter(
    "another feature's door is its service",
    "Another feature's door is its service.ts.",
    file(`${feature}/bad-door/routes.ts`, "export { list } from '../good-http/store.ts';"),
    file(`${feature}/good-door/routes.ts`, "export { list } from '../good-http/service.ts';"),
  ),
  linter(
    'a feature of another domain is used through its service',
    "Another feature's door is its service.ts.",
    file(`${feature}/bad-domain/routes.ts`, "export { list } from '../../encryption/vault/store.ts';"),
    file(`${feature}/good-domain/routes.ts`, "export { list } from '../../encryption/vault/service.ts';"),
  ),
  linter(
    'messaging knows the sessions of identity and nothing else of it',
    'of identity, only that of sessions.',
    file(`${messaging}/bad-identity/routes.ts`, "export { find } from '../../identity/accounts/service.ts';"),
    file(`${messaging}/good-identity/routes.ts`, "export { find } from '../../identity/sessions/service.ts';"),
  ),
  linter(
    "a part of the Appwrite-compatible API uses another's service",
    "Another feature's door is its service.ts.",
    file('apps/server/src/appwrite/bad-door/routes.ts', "export { list } from '../files/store.ts';"),
    file('apps/server/src/appwrite/good-door/routes.ts', "export { AppwriteError } from '../errors.ts';"),
  ),
  linter(
    "the Appwrite-compatible API uses a feature's service",
    "Another feature's door is its service.ts.",
    file(
      'apps/server/src/appwrite/bad-feature/routes.ts',
      "export { list } from '../../features/people/good-http/store.ts';",
    ),
    file(
      'apps/server/src/appwrite/good-feature/routes.ts',
      "export { list } from '../../features/people/good-http/service.ts';",
    ),
  ),
  linter(
    'features do not import the Appwrite-compatible API',
    'Only roles/ mounts appwrite/.',
    file(`${feature}/bad-leaf/service.ts`, "export { list } from '../../../appwrite/files/service.ts';"),
    file(`${feature}/good-leaf/service.ts`, "export { rolesOf } from '@dostar/protocol/appwrite/permissions';"),
  ),
  linter(
    'operator commands do not import the Appwrite-compatible API',
    'Only roles/ mounts appwrite/.',
    file('apps/server/src/cli/bad-leaf.ts', "export { list } from '../appwrite/files/service.ts';"),
    file('apps/server/src/roles/good-leaf.ts', "export { list } from '../appwrite/files/service.ts';"),
  ),
  linter(
    'platform is below the Appwrite-compatible API',
    'platform/ is below features/.',
    file(`${platform}/bad-leaf.ts`, "export { list } from '../appwrite/files/service.ts';"),
    file(`${platform}/good-leaf.ts`, "export { rolesOf } from '@dostar/protocol/appwrite/permissions';"),
  ),
  linter(
    'a use case is a door of identity, for the Appwrite-compatible API too',
    "Another feature's door is its service.ts.",
    file(
      'apps/server/src/appwrite/bad-use-case/service.ts',
      "export { remove } from '../../features/identity/sign-ups/store.ts';",
    ),
    file(
      'apps/server/src/appwrite/good-use-case/service.ts',
      "export { remove } from '../../features/identity/use-cases/remove-account.ts';",
    ),
  ),
  linter(
    'features do not know who starts them',
    'Features do not know who starts them.',
    file(`${feature}/bad-starter/jobs.ts`, "export { readConfig } from '../../../config.ts';"),
    file(`${feature}/good-starter/jobs.ts`, "export type { Context } from '../../../context.ts';"),
  ),
  linter(
    'a store does not know who starts it',
    'Features do not know who starts them.',
    file(`${feature}/bad-settings/store.ts`, "export { readConfig } from '../../../config.ts';"),
    file(`${feature}/good-settings/store.ts`, "export { query } from '../../../platform/postgres/pools.ts';"),
  ),
  linter(
    'a store does not import the Appwrite-compatible API',
    'Only roles/ mounts appwrite/.',
    file(`${feature}/bad-leaf/store.ts`, "export { list } from '../../../appwrite/files/service.ts';"),
    file(`${feature}/good-leaf/store.ts`, "export { rolesOf } from '@dostar/protocol/appwrite/permissions';"),
  ),
  linter(
    'a store of the Appwrite-compatible API does not know who starts it',
    'Features do not know who starts them.',
    file('apps/server/src/appwrite/bad-settings/store.ts', "export { readConfig } from '../../config.ts';"),
    file(
      'apps/server/src/appwrite/good-settings/store.ts',
      "export { query } from '../../platform/postgres/pools.ts';",
    ),
  ),
  linter(
    'files directly in appwrite/ use the services of its parts',
    "Another feature's door is its service.ts.",
    file('apps/server/src/appwrite/bad-loose.ts', "export { list } from './files/store.ts';"),
    file('apps/server/src/appwrite/good-loose.ts', "export { list } from './files/service.ts';"),
  ),
  linter(
    "files directly in appwrite/ use a feature's service",
    "Another feature's door is its service.ts.",
    file('apps/server/src/appwrite/bad-loose-feature.ts', "export { list } from '../features/people/users/store.ts';"),
    file(
      'apps/server/src/appwrite/good-loose-feature.ts',
      "export { list } from '../features/people/users/service.ts';",
    ),
  ),
  linter(
    'files directly in appwrite/ do not know who starts them',
    'Features do not know who starts them.',
    file('apps/server/src/appwrite/bad-loose-starter.ts', "export { readConfig } from '../config.ts';"),
    file('apps/server/src/appwrite/good-loose-starter.ts', "export type { Context } from '../context.ts';"),
  ),
  linter(
    'a folder inside a part of the Appwrite-compatible API uses the services of other parts',
    "Another feature's door is its service.ts.",
    file('apps/server/src/appwrite/bad-nested/texts/en.ts', "export { list } from '../../files/store.ts';"),
    file('apps/server/src/appwrite/good-nested/texts/en.ts', "export { AppwriteError } from '../../errors.ts';"),
  ),
  linter(
    'a folder inside a feature uses the services of other features',
    "Another feature's door is its service.ts.",
    file(`${feature}/bad-nested/texts/en.ts`, "export { list } from '../../good-http/store.ts';"),
    file(`${feature}/good-nested/texts/en.ts`, "export { list } from '../../good-http/service.ts';"),
  ),
  linter(
    'a folder inside a feature uses the services of other domains',
    "Another feature's door is its service.ts.",
    file(`${feature}/bad-nested/texts/ru.ts`, "export { list } from '../../../encryption/vault/store.ts';"),
    file(`${feature}/good-nested/texts/ru.ts`, "export { list } from '../../../encryption/vault/service.ts';"),
  ),
  linter(
    'a folder inside a feature of messaging knows of identity only the sessions',
    'of identity, only that of sessions.',
    file(`${messaging}/bad-nested/texts/en.ts`, "export { find } from '../../../identity/accounts/service.ts';"),
    file(`${messaging}/good-nested/texts/en.ts`, "export { find } from '../../../identity/sessions/service.ts';"),
  ),
  linter(
    'a folder inside a feature does not know who starts it',
    'Features do not know who starts them.',
    file(`${feature}/bad-nested/texts/kz.ts`, "export { readConfig } from '../../../../config.ts';"),
    file(`${feature}/good-nested/texts/kz.ts`, "export type { Context } from '../../../../context.ts';"),
  ),
  linter(
    'a folder inside a feature does not import the Appwrite-compatible API',
    'Only roles/ mounts appwrite/.',
    file(`${feature}/bad-nested/texts/text.ts`, "export { list } from '../../../../appwrite/files/service.ts';"),
    file(`${feature}/good-nested/texts/text.ts`, "export { row } from '../row.ts';"),
  ),
  linter(
    'platform is below features',
    'platform/ is below features/.',
    file(`${platform}/bad-upward.ts`, "export { list } from '../features/people/good-http/service.ts';"),
    file(`${platform}/good-upward.ts`, "export { publish } from './bus/bus.ts';"),
  ),
];
