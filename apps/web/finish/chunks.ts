// Few files instead of many: left alone, the bundler makes some fifty of a page, each with its own round trip, and names
// all of them for every route in the manifest that every page loads.
const always = [
  'app/(debug-panel|error-page|feedback-banner|frame|origin-gate|texts-provider|use-app-life|waiting-page)',
  'core/(feedback|format-number|locale|origin|page-meta|paths|session|settings|store|texts|theme|use-locale)',
  'ui/(art/google-icon|custom-button|icon-button)',
];
const inForms = ['features/auth/', 'ui/(code-field|custom-(input|label|password|text)|field-|password)'];

export const chunkGroups = [
  // Changes only when a library does: stays in the browser's cache over many builds.
  {
    name: 'base',
    priority: 50,
    test: /node_modules\/(@react-router|i18next|react|react-dom|react-i18next|react-router|scheduler)\//,
  },
  { name: 'parts', priority: 40, test: /node_modules\/(@base-ui|@floating-ui|lucide-react)\//, minShareCount: 12 },
  { name: 'shell', priority: 30, test: new RegExp(`src/(${always.join('|')})\\.tsx?$`) },
  // An icon shared by a page and a form would otherwise bring the whole form along.
  { name: 'icons', priority: 20, test: /node_modules\/lucide-react\//, minShareCount: 2 },
  { name: 'form', priority: 10, test: new RegExp(`src/(${inForms.join('|')})(?!.*-page)`), minShareCount: 2 },
];
