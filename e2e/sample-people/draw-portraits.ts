/** Drawn faces for profile photos. */

interface Face {
  background: [string, string];
  skin: string;
  shadow: string;
  lips: string;
  brows: string;
  clothes: [string, string];
  /** Hair behind the head, and hair over it. */
  behind: string;
  over: string;
}

const faces: Record<string, Face> = {
  alice: {
    background: ['#bfe3ee', '#6fb4c9'],
    skin: '#f0c3a0',
    shadow: '#dda47f',
    lips: '#b9574f',
    brows: '#2b1c17',
    clothes: ['#f4b942', '#dd9a1f'],
    behind: '<path d="M74 120C66 44 190 44 182 120c2 40 14 62 10 96H64c-4-34 8-56 10-96Z" fill="#2f1f1a"/>',
    over: `<path d="M82 118C78 66 104 52 130 52c32 0 50 24 45 68-8-8-14-26-18-40-14 16-46 22-62 22-6 6-9 10-13 16Z" fill="#3b2720"/>
      <path d="M104 66c14-7 32-6 44 2" stroke="#6b4a3d" stroke-width="4" stroke-linecap="round" fill="none" opacity=".6"/>`,
  },
  bob: {
    background: ['#f7d9b0', '#e39b62'],
    skin: '#eab892',
    shadow: '#d39a72',
    lips: '#a65349',
    brows: '#5a3a22',
    clothes: ['#33566f', '#24415a'],
    behind: '<path d="M82 122c-6-40 98-40 92 0l-4 14H86Z" fill="#6d4a2c"/>',
    over: `<path d="M85 118c0 44 16 62 43 62s43-18 43-62c-4 14-10 22-18 24-10-6-40-6-50 0-8-2-14-10-18-24Z" fill="#74502f"/>
      <path d="M111 148c8-7 26-7 34 0-4 5-8 7-17 7s-13-2-17-7Z" fill="#fff"/>
      <path d="M80 92c-4-50 100-50 96 0-28-10-68-10-96 0Z" fill="#d1493f"/><circle cx="128" cy="44" r="13" fill="#f4e9dc"/>
      <path d="M78 84c30-13 70-13 100 0l2 18c-32-13-72-13-104 0Z" fill="#a83931"/>`,
  },
  aisha: {
    background: ['#e7ddf3', '#a78bc4'],
    skin: '#e8b994',
    shadow: '#cf9b76',
    lips: '#b0625a',
    brows: '#7b7470',
    clothes: ['#7a3b62', '#5b2848'],
    behind: '<path d="M66 128C58 36 198 36 190 128c2 44 22 70 12 104H54c-10-34 10-60 12-104Z" fill="#f3efe8"/>',
    over: `<path d="M78 130C66 36 190 36 178 130c-4-26-16-40-50-40s-46 14-50 40Z" fill="#fbf8f3"/>
      <path d="M84 112c8-32 80-32 88 0" stroke="#c9506b" stroke-width="5" fill="none" stroke-dasharray="3 8" stroke-linecap="round"/>
      <path d="M82 150c6 34 24 46 46 46s40-12 46-46c14 30 12 62-4 82H86c-16-20-18-52-4-82Z" fill="#f3efe8"/>
      <g fill="none" stroke="#6d5f57" stroke-width="3"><circle cx="110" cy="116" r="15"/><circle cx="146" cy="116" r="15"/>
      <path d="M125 115c2-2 4-2 6 0"/></g>
      <g fill="none" stroke="#cf9b76" stroke-width="2"><path d="M88 130c4 3 4 7 3 11M168 130c-4 3-4 7-3 11M112 92c10-3 22-3 32 0"/></g>`,
  },
  dana: {
    background: ['#d6ecd2', '#7fb58a'],
    skin: '#f3cdab',
    shadow: '#dfae88',
    lips: '#c35b5b',
    brows: '#17161a',
    clothes: ['#e8e4dc', '#c9c2b4'],
    behind: '<path d="M76 150C60 50 196 50 180 150c-2 12-10 18-18 18H94c-8 0-16-6-18-18Z" fill="#17161a"/>',
    over: `<path d="M78 124C64 30 192 30 178 124c-4-14-8-22-12-28-24 8-52 8-76 0-4 6-8 14-12 28Z" fill="#222127"/>
      <g fill="none" stroke="#8c4b2f" stroke-width="3.5"><rect x="94" y="104" width="30" height="24" rx="10"/>
      <rect x="132" y="104" width="30" height="24" rx="10"/><path d="M124 113h8"/></g>`,
  },
};

/** SVG by name. */
export function drawPortraits(): Map<string, string> {
  return new Map(Object.entries(faces).map(([name, face]) => [name, drawPortrait(face)]));
}

function drawPortrait({ background, skin, shadow, lips, brows, clothes, behind, over }: Face): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="24 24 208 208" width="384" height="384">
    <defs>
      <radialGradient id="back" cx=".35" cy=".25" r=".95"><stop stop-color="${background[0]}"/><stop offset="1" stop-color="${background[1]}"/></radialGradient>
      <linearGradient id="cloth" x2="0" y2="1"><stop stop-color="${clothes[0]}"/><stop offset="1" stop-color="${clothes[1]}"/></linearGradient>
      <radialGradient id="skin" cx=".38" cy=".35" r=".8"><stop stop-color="${skin}"/><stop offset=".6" stop-color="${skin}"/><stop offset="1" stop-color="${shadow}"/></radialGradient>
    </defs>
    <rect width="256" height="256" fill="url(#back)"/>
    ${behind}
    <path d="M28 256c6-50 54-64 100-64s94 14 100 64Z" fill="url(#cloth)"/>
    <path d="M106 150h44v40c0 16-44 16-44 0Z" fill="${shadow}"/>
    <ellipse cx="83" cy="122" rx="8" ry="13" fill="${shadow}"/><ellipse cx="173" cy="122" rx="8" ry="13" fill="${shadow}"/>
    <path d="M84 112c0-34 18-52 44-52s44 18 44 52c0 40-20 66-44 66s-44-26-44-66Z" fill="url(#skin)"/>
    <g fill="#e07a6a" opacity=".22"><circle cx="102" cy="136" r="10"/><circle cx="154" cy="136" r="10"/></g>
    <g fill="#241a17"><ellipse cx="110" cy="117" rx="4.6" ry="5.4"/><ellipse cx="146" cy="117" rx="4.6" ry="5.4"/></g>
    <g fill="#fff"><circle cx="111.6" cy="115" r="1.6"/><circle cx="147.6" cy="115" r="1.6"/></g>
    <g fill="none" stroke-linecap="round"><path d="M101 102c5-4 12-5 18-2M155 102c-5-4-12-5-18-2" stroke="${brows}" stroke-width="4"/>
    <path d="M127 118c-1 8-5 12-4 15 1 3 6 3 9 2" stroke="${shadow}" stroke-width="3"/>
    <path d="M112 148c8 10 24 10 32 0" stroke="${lips}" stroke-width="4.5"/></g>
    ${over}
  </svg>`;
}
