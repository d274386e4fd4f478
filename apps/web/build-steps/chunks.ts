// Groups modules into few files. By default the bundler makes some fifty files for a page, each with its own round
// trip, and the manifest that every page loads names all of them for every route.
const shellModules = [
  'app/(debug-panel|error-page|feedback-banner|frame|nav-item|reauthentication/pending-reauthentication|texts-provider|use-app-lifecycle)',
  // Otherwise a constant of this file would load the chunk of the first module that imports it.
  'contract/endpoint',
  'core/[a-z0-9]+/(failure|feedback|format-number|locale|next-page|origin|page-meta|paths|reauthentication|remembered|session|settings|store|texts|theme|use-google|use-locale)',
  // A chat has buttons, but none of the form components.
  'ui/(art/google-icon|badge|button-class|custom-button|cx|icon-button|icon-button-class|logo|progress-ring|skeleton)',
];
const formModules = [
  'core/[a-z0-9]+/(pending-invite|passkeys)',
  'features/auth/(email-field|form-heading|google-choice|validate)',
  'forms/(check-new-password|read-field)',
  'ui/(custom-(input|label|password)|field-|password|text-link)',
];
// Icons for signed-in users and for pages that visitors rarely open. As single files each would cost every page a line
// in the manifest; as one group they cost the first pages nothing.
const memberIcons = [
  'archive|arrow-left|ban|bell|bell-off|chevron-right|download|flag|forward|hourglass|key-round',
  'lock-keyhole|mail-check|message-square-text|messages-square',
  'pencil|qr-code|refresh-cw|reply|rotate-ccw-clock|rotate-cw|search|send-horizontal|shield-exclamation-point|smartphone',
  'sparkles|square-pen|star',
  'trash|triangle-exclamation-point|upload',
];

export const chunkGroups = [
  // Changes only with a library, so it stays in the browser's cache over many builds. Without @react-router: its
  // start-up file would hydrate as soon as any page's module is loaded, before the page's own data is there.
  {
    name: 'base',
    priority: 50,
    test: /node_modules\/(react|react-dom|react-router|scheduler)\//,
  },
  // Only pages with a field or a panel load it; the landing page does not.
  { name: 'controls', priority: 40, test: /node_modules\/(@base-ui|@floating-ui)\//, minShareCount: 12 },
  { name: 'parts', priority: 40, test: /node_modules\/lucide-react\//, minShareCount: 12 },
  // Includes the lock icon of all first pages: in a file of its own it would take twice its size.
  { name: 'shell', priority: 30, test: new RegExp(`src/(${shellModules.join('|')})\\.tsx?$|/icons/lock\\.m?js$`) },
  {
    name: 'marks',
    priority: 25,
    test: /lucide-react\/.*\/icons\/(arrow-right|check-check|monitor-smartphone|shield-check|wifi-off)\.m?js$/,
  },
  { name: 'signs', priority: 25, test: new RegExp(`lucide-react/.*/icons/(${memberIcons.join('|')})\\.m?js$`) },
  // Small modules that the chat list and a chat share.
  {
    name: 'chats',
    priority: 25,
    test: /src\/(core\/[a-z]+\/(report-target|matches-name|is-touch|mute-times|people|preview-message|ticks|use-now)|features\/chat\/(chat-context|timer-names))\.tsx?$/,
  },
  // Also parsed by pages without keys. A group includes the imports of its files, unless an earlier group has them.
  { name: 'ids', priority: 26, test: /node_modules\/zod\/|protocol\/src\/ids\.ts$/ },
  // The modules that store keys in this browser; no page needs only a part of them.
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
  // Small modules that settings pages share, or pages that take a picture: each would be a line in the manifest.
  {
    name: 'settings',
    priority: 25,
    test: /src\/(core\/session\/sign-out-other-devices|features\/settings\/settings-(card|heading))\.tsx?$/,
  },
  { name: 'pictures', priority: 25, test: /src\/(core\/lib\/require-decodable|content\/picture-size)\.ts$/ },
  // Otherwise an icon that a page and a form share would load the whole form.
  { name: 'icons', priority: 20, test: /node_modules\/lucide-react\//, minShareCount: 9 },
  { name: 'form', priority: 10, test: new RegExp(`src/(${formModules.join('|')})`), minShareCount: 2 },
];
