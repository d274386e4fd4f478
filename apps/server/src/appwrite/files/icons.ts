/** Icons for previews of files that are not pictures. */

const SIGNS: [kind: RegExp, color: string, sign: string][] = [
  [
    /^audio\//,
    '#0f766e',
    '<path d="M214 370V240l110-26v130" fill="none" stroke="#fff" stroke-width="22"/><circle cx="188" cy="370" r="30"/><circle cx="298" cy="344" r="30"/>',
  ],
  [/^video\//, '#b45309', '<path d="M200 232l130 76-130 76z"/>'],
  [/^image\//, '#1d4ed8', '<path d="M150 390l80-110 54 66 34-40 54 84z"/><circle cx="320" cy="246" r="26"/>'],
  [/zip|compressed|zstd/, '#6d28d9', '<path d="M236 200h40v36h-40zm0 60h40v36h-40zm0 60h40v80h-40z"/>'],
  [/^(?:text\/|application\/pdf)/, '#be123c', '<path d="M164 240h184v24H164zm0 60h184v24H164zm0 60h124v24H164z"/>'],
];
const OTHER = ['#475569', '<path d="M232 232h48v96h-48zm0 120h48v40h-48z"/>'] as const;

/** As SVG. */
export function drawIcon(mimeType: string): Buffer {
  const found = SIGNS.find(([kind]) => kind.test(mimeType));
  const [color, sign] = found ? [found[1], found[2]] : OTHER;
  const sheet = `<path d="M112 32h200l88 88v360H112z" fill="${color}"/><path d="M312 32l88 88h-88z" fill="#fff" opacity=".5"/>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" fill="#fff">${sheet}${sign}</svg>`,
  );
}
