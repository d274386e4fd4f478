// Few files instead of many: left alone, the bundler makes some fifty of a page, each with its own round trip, and names
// all of them for every route in the manifest that every page loads.
const shellModules = [
  'app/(debug-panel|error-page|feedback-banner|frame|nav-item|reauthentication/pending-reauthentication|texts-provider|use-app-lifecycle)',
  // A constant of theirs would otherwise bring along the file of its first user.
  'contract/endpoint',
  'core/[a-z0-9]+/(failure|feedback|format-number|locale|next-page|origin|page-meta|paths|reauthentication|remembered|session|settings|store|texts|theme|use-google|use-locale)',
  // A chat has buttons, and none of what a form needs beside them.
  'ui/(art/google-icon|badge|button-class|custom-button|cx|icon-button|icon-button-class|logo|progress-ring|skeleton)',
];
const formModules = [
  'core/[a-z0-9]+/(pending-invite|passkeys)',
  'features/auth/(email-field|form-heading|google-choice|validate)',
  'forms/(check-new-password|read-field)',
  'ui/(custom-(input|label|password)|field-|password|text-link)',
];
// Of those who are signed in, and of pages that visitors rarely see. One by one they would cost every page a line in the
// manifest; together they cost none of the first pages anything.
const memberIcons = [
  'archive|arrow-left|ban|bell|bell-off|chevron-right|download|flag|forward|hourglass|key-round',
  'lock-keyhole|mail-check|message-square-text|messages-square',
  'pencil|qr-code|refresh-cw|reply|rotate-ccw-clock|rotate-cw|search|send-horizontal|shield-exclamation-point|smartphone',
  'sparkles|square-pen|star',
  'trash|triangle-exclamation-point|upload',
];

export const chunkGroups = [
  // Changes only when a library does: stays in the browser's cache over many builds. Not @react-router: its start-up file
  // would hydrate as soon as any page's module is loaded, before the page's own data is there.
  {
    name: 'base',
    priority: 50,
    test: /node_modules\/(react|react-dom|react-router|scheduler)\//,
  },
  // What pages without a field or a panel never load: the landing page is one.
  { name: 'controls', priority: 40, test: /node_modules\/(@base-ui|@floating-ui)\//, minShareCount: 12 },
  { name: 'parts', priority: 40, test: /node_modules\/lucide-react\//, minShareCount: 12 },
  // The lock is on each of the first pages: in a file of its own it weighs twice what it draws.
  { name: 'shell', priority: 30, test: new RegExp(`src/(${shellModules.join('|')})\\.tsx?$|/icons/lock\\.m?js$`) },
  {
    name: 'marks',
    priority: 25,
    test: /lucide-react\/.*\/icons\/(arrow-right|check-check|monitor-smartphone|shield-check|wifi-off)\.m?js$/,
  },
  { name: 'signs', priority: 25, test: new RegExp(`lucide-react/.*/icons/(${memberIcons.join('|')})\\.m?js$`) },
  // Small things that the list of chats and a chat have in common.
  {
    name: 'chats',
    priority: 25,
    test: /src\/(core\/[a-z]+\/(report-target|matches-name|is-touch|mute-times|people|preview-message|ticks|use-now)|features\/chat\/(chat-context|timer-names))\.tsx?$/,
  },
  // Parsed by pages that have no keys: a group brings along what its files import, unless that has a group before it.
  { name: 'ids', priority: 26, test: /node_modules\/zod\/|protocol\/src\/ids\.ts$/ },
  // What keeps the keys in this browser, which no page needs in parts.
  {
    name: 'keys',
    priority: 25,
    test: /node_modules\/dexie\/|client\/src\/(app-lock\/(app-locked|device-key|key-files)|account\/key-(db|store))\.ts$/,
  },
  {
    name: 'notices',
    priority: 25,
    test: /src\/(worker\/(service-worker-state|names|notification-lock)|core\/[a-z]+\/(analytics-consent|install|new-version|register-worker|unsaved))\.ts$/,
  },
  // Small things that pages of settings have in common, and pages that take a picture: each would be a line in the manifest.
  {
    name: 'settings',
    priority: 25,
    test: /src\/(core\/session\/sign-out-other-devices|features\/settings\/settings-(card|heading))\.tsx?$/,
  },
  { name: 'pictures', priority: 25, test: /src\/(core\/lib\/require-decodable|content\/picture-size)\.ts$/ },
  // An icon shared by a page and a form would otherwise bring the whole form along.
  { name: 'icons', priority: 20, test: /node_modules\/lucide-react\//, minShareCount: 9 },
  { name: 'form', priority: 10, test: new RegExp(`src/(${formModules.join('|')})`), minShareCount: 2 },
];
