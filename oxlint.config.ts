import { defineConfig } from 'oxlint';

interface Ban {
  group: string[];
  message: string;
}

// An override replaces a rule's options, it does not add to them: compose the bans here instead.
function ban(files: string[], ...patterns: Ban[]) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] as const } };
}

// One folder up and down again. Not `../*` with the exception `!../../**`: an exception in one group also excuses what
// another group forbids, so the ban on roles/ and config.ts would no longer hold.
const sideways = '../[a-z]*';
/** Another domain, seen from a feature. */
const across = '../../[a-z]*/*';
// The same, seen from a folder inside a feature.
const sidewaysInside = '../../[a-z]*';
const acrossInside = '../../../[a-z]*/*';

const noEngine: Ban = { group: ['@matrix-org/**'], message: 'The server never opens a message.' };
const noStarters: Ban = {
  group: ['**/roles/*', '**/main.ts', '**/config.ts'],
  message: 'Features do not know who starts them.',
};
// A use case joins several features, and is its own door.
function featureDoor(near: string, far: string): Ban {
  const useCases = near.replace('[a-z]*', 'use-cases/*.ts');
  return {
    group: [`${near}/**`, `!${near}/service.ts`, `!${useCases}`, `${far}/**`, `!${far}/service.ts`],
    message: "Another feature's door is its service.ts.",
  };
}
const appwriteLeaf: Ban = { group: ['**/appwrite/**', '!@dostar/**'], message: 'Only roles/ mounts appwrite/.' };
/** `near` matches the folders of appwrite/, `features` is the way to features/. */
function appwriteDoor(near: string, features: string): Ban {
  return {
    group: [
      `${near}/**`,
      `!${near}/service.ts`,
      `${features}/**`,
      `!${features}/**/service.ts`,
      `!${features}/identity/use-cases/*.ts`,
    ],
    message: "Another feature's door is its service.ts.",
  };
}
function messagingDoor(near: string, far: string): Ban {
  const domains = far.replace('[a-z]*/*', '');
  return {
    group: [
      `${near}/**`,
      `!${near}/service.ts`,
      `${far}/**`,
      ...['encryption', 'people', 'operations'].map((domain) => `!${domains}${domain}/*/service.ts`),
      `!${domains}identity/sessions/service.ts`,
    ],
    message: 'Messaging uses the service.ts of other features; of identity, only that of sessions.',
  };
}
const noHttp: Ban = {
  group: ['fastify', '**/platform/http/server.ts', './routes.ts'],
  message: 'Services do not know HTTP.',
};
const notSql = ['./*', `${sideways}/**`, '**/context.ts', '**/platform/bus/**'];
const sqlOnly: Ban = { group: [...notSql, `${across}/**`], message: 'A store speaks SQL and nothing else.' };
const appwriteSqlOnly: Ban = { group: [...notSql, '**/features/**'], message: 'A store speaks SQL and nothing else.' };
const noUpward: Ban = {
  group: ['**/features/**', '**/roles/*', '**/appwrite/**', '!@dostar/**'],
  message: 'platform/ is below features/.',
};
const noSiblings: Ban = { group: [`${sideways}/**`, '**/app/**'], message: 'Features meet in app/.' };
// From a folder inside a feature its neighbours are one step up, other features two.
const noSiblingsInside: Ban = { group: ['../../[a-z]*/**', '**/app/**'], message: 'Features meet in app/.' };
// What several features ask in the same way lies below all of them.
const noHigher: Ban = { group: ['**/features/**', '**/app/**'], message: 'forms/ is below features/.' };
const noDomain: Ban = {
  // Its own sentences are translated like those of features.
  group: ['**/features/**', '**/core/**', '!**/core/i18n/use-translation.ts', '**/app/**', '@dostar/**'],
  message: 'ui/ knows no domain.',
};

const noTesting: Ban = {
  group: ['@dostar/*/testing', '@dostar/*/testing/**', '**/test/**'],
  message: 'The product imports nothing from a testing package.',
};
const engineRoom: Ban = { group: ['@matrix-org/**'], message: 'Only client/crypto knows the engine.' };
const joinsOnly: Ban = {
  group: ['**/features/**', '**/app/**', '**/ui/**'],
  message: 'core/ joins React to the client.',
};

const noOwnFormat = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'].map((property) => ({
  property,
  message: 'Chromium formats Kazakh wrongly: use core/i18n/format-number.ts or core/i18n/format-date.ts.',
}));

const feature = 'apps/server/src/features/*/*';
const messaging = 'apps/server/src/features/messaging/*';
const appwrite = 'apps/server/src/appwrite/*';
const notInFeatures = [noStarters, appwriteLeaf];

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'import', 'node', 'react'],
  categories: { correctness: 'error', suspicious: 'error' },
  options: { typeAware: true },
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'node/no-process-env': 'error',
    'no-console': 'error',
    'max-lines': ['warn', { max: 400, skipBlankLines: true, skipComments: true }],
    'typescript/no-unsafe-type-assertion': 'off',
    'no-underscore-dangle': 'off',
    // A switch that is closed over its union returns on every path; the compiler knows, this rule does not.
    'typescript/consistent-return': 'off',
    // Our objects are closures: nothing here depends on `this`.
    'typescript/unbound-method': 'off',
    'react/react-in-jsx-scope': 'off',
    'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
  },
  overrides: [
    // A worker's postMessage has no window to name.
    { files: ['packages/client/**'], rules: { 'unicorn/require-post-message-target-origin': 'off' } },
    {
      files: ['apps/server/src/{main,admin}.ts', 'tools/**', 'proofs/**', 'e2e/**', '**/*.config.ts'],
      rules: { 'node/no-process-env': 'off' },
    },
    // Command-line programs talk to the terminal.
    { files: ['tools/**', 'proofs/**', 'examples/**', 'apps/server/src/admin.ts'], rules: { 'no-console': 'off' } },
    // React Router reads a route module's default export.
    {
      files: ['**/*.config.ts', 'apps/web/src/{root,routes}.{ts,tsx}', 'apps/web/src/**/*-{page,layout}.tsx'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: [`${feature}/**/*.ts`, `${appwrite}/**/*.ts`],
      rules: { 'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: 'Use ctx.clock.' }] },
    },
    ban(['apps/server/**'], noEngine),
    {
      files: ['apps/web/src/**'],
      rules: {
        'no-restricted-globals': [
          'error',
          { name: 'Intl', message: 'Chromium formats Kazakh wrongly: use core/i18n/format-*.ts.' },
        ],
        'no-restricted-properties': ['error', ...noOwnFormat],
      },
    },
    ban(['apps/server/src/*.ts', 'apps/server/src/cli/**'], noEngine, appwriteLeaf),
    ban(['apps/server/src/platform/**'], noEngine, noUpward),
    ban(['apps/server/src/features/**'], noEngine, ...notInFeatures),
    ban([`${feature}/*.ts`], noEngine, ...notInFeatures, featureDoor(sideways, across)),
    ban([`${feature}/*/**`], noEngine, ...notInFeatures, featureDoor(sidewaysInside, acrossInside)),
    ban([`${feature}/service.ts`], noEngine, ...notInFeatures, featureDoor(sideways, across), noHttp),
    ban([`${messaging}/*.ts`], noEngine, ...notInFeatures, messagingDoor(sideways, across)),
    ban([`${messaging}/*/**`], noEngine, ...notInFeatures, messagingDoor(sidewaysInside, acrossInside)),
    ban([`${messaging}/service.ts`], noEngine, ...notInFeatures, messagingDoor(sideways, across), noHttp),
    ban(['apps/server/src/appwrite/*.ts'], noEngine, noStarters, appwriteDoor('./[a-z]*', '../features')),
    ban([`${appwrite}/*.ts`], noEngine, noStarters, appwriteDoor(sideways, '../../features')),
    ban([`${appwrite}/*/**`], noEngine, noStarters, appwriteDoor(sidewaysInside, '../../../features')),
    ban([`${appwrite}/service.ts`], noEngine, noStarters, appwriteDoor(sideways, '../../features'), noHttp),
    ban([`${feature}/store.ts`], noEngine, ...notInFeatures, sqlOnly),
    ban([`${appwrite}/store.ts`], noEngine, noStarters, appwriteSqlOnly),
    // Dexie's collections have a reverse() of their own.
    { files: ['packages/client/**'], rules: { 'unicorn/no-array-reverse': 'off' } },
    ban(['packages/client/**', 'apps/web/**'], engineRoom),
    ban(['packages/client/src/**', 'apps/web/src/**'], engineRoom, noTesting),
    ban(['packages/client/src/crypto/**'], noTesting),
    ban(['apps/web/src/core/**'], engineRoom, noTesting, joinsOnly),
    ban(['apps/web/src/features/**'], engineRoom, noTesting, noSiblings),
    ban(['apps/web/src/features/*/*/**'], engineRoom, noTesting, noSiblingsInside),
    ban(['apps/web/src/forms/**'], engineRoom, noTesting, noHigher),
    ban(['apps/web/src/ui/**'], engineRoom, noTesting, noDomain),
  ],
  ignorePatterns: ['**/.types/**', '**/build/**', '**/.react-router/**'],
});
