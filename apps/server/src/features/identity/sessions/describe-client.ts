/** "Firefox, Windows": enough for owners to recognize a device, and too little to track them. */

const BROWSERS: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/YaBrowser\//, 'Yandex'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux|X11/, 'Linux'],
];

/** Empty for unknown clients: the header is free text and would be quoted in emails. */
export function describeClient(userAgent: string): string {
  const names = [BROWSERS, SYSTEMS].map((table) => table.find(([pattern]) => pattern.test(userAgent))?.[1]);
  return names.filter((name) => name !== undefined).join(', ');
}
