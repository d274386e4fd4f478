// Few files instead of many: left alone, the bundler makes some fifty of a page, each with its own round trip, and names
// all of them for every route in the manifest that every page loads.
const always = [
  'app/(debug-panel|error-page|feedback-banner|frame|nav-item|texts-provider|use-app-life)',
  'core/(feedback|format-number|locale|origin|page-meta|paths|session|settings|store|texts|theme|use-locale)',
  'ui/(art/google-icon|button-class|cx|icon-button-class|mark)',
];
const inForms = [
  'features/auth/(form-heading|google-choice|read-field|validate)',
  'ui/(custom-(button|input|label|password)|field-|icon-button|password|progress-ring)',
];

export const chunkGroups = [
  // Changes only when a library does: stays in the browser's cache over many builds. Not @react-router: its start-up file
  // would hydrate as soon as any page's module is loaded, before the page's own data is there.
  {
    name: 'base',
    priority: 50,
    test: /node_modules\/(i18next|react|react-dom|react-i18next|react-router|scheduler)\//,
  },
  // What pages without a field or a panel never load: the landing page is one.
  { name: 'controls', priority: 40, test: /node_modules\/(@base-ui|@floating-ui)\//, minShareCount: 12 },
  { name: 'parts', priority: 40, test: /node_modules\/lucide-react\//, minShareCount: 12 },
  { name: 'shell', priority: 30, test: new RegExp(`src/(${always.join('|')})\\.tsx?$`) },
  // An icon shared by a page and a form would otherwise bring the whole form along.
  { name: 'icons', priority: 20, test: /node_modules\/lucide-react\//, minShareCount: 2 },
  { name: 'form', priority: 10, test: new RegExp(`src/(${inForms.join('|')})(?!.*-page)`), minShareCount: 2 },
];
