import type { CSSProperties } from 'react';

/** The light theme of "sky and sun". Email clients support no CSS variables, so the colors are repeated here. */
const light = {
  page: '#f6f3ec',
  card: '#ffffff',
  line: '#e3ddd1',
  text: '#17262c',
  muted: '#56666d',
  accent: '#0b7285',
  soft: '#d9eff0',
  onAccent: '#ffffff',
  sun: '#f2b705',
};

const dark = {
  page: '#0d1417',
  card: '#141d21',
  line: '#26353b',
  text: '#e6edef',
  muted: '#93a5ac',
  accent: '#3bc9db',
  soft: '#12363d',
  onAccent: '#062328',
};

const font = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif";

export const styles = {
  page: { margin: 0, padding: 0, backgroundColor: light.page, fontFamily: font },
  outer: { padding: '32px 16px' },
  column: { maxWidth: '520px' },
  header: { padding: '0 0 20px', textAlign: 'center' },
  name: { fontSize: '22px', lineHeight: '28px', fontWeight: 700, letterSpacing: '-0.2px', color: light.accent },
  sun: { width: '28px', height: '4px', margin: '6px auto 0', borderRadius: '2px', backgroundColor: light.sun },
  card: {
    padding: '32px 28px',
    borderRadius: '16px',
    backgroundColor: light.card,
    border: `1px solid ${light.line}`,
  },
  title: { margin: '0 0 12px', fontSize: '22px', lineHeight: '30px', fontWeight: 700, color: light.text },
  line: { margin: '0 0 16px', fontSize: '16px', lineHeight: '25px', color: light.text },
  codeBox: { margin: '8px 0 4px' },
  code: {
    padding: '18px 8px 18px 18px',
    borderRadius: '12px',
    backgroundColor: light.soft,
    fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Noto Sans Mono', monospace",
    fontSize: '34px',
    lineHeight: '40px',
    fontWeight: 700,
    letterSpacing: '10px',
    textAlign: 'center',
    color: light.text,
  },
  facts: { margin: '0 0 14px' },
  factLabel: { fontSize: '13px', lineHeight: '20px', color: light.muted },
  fact: { fontSize: '16px', lineHeight: '24px', fontWeight: 600, color: light.text },
  buttonBox: { margin: '22px 0 20px' },
  buttonCell: { borderRadius: '12px', backgroundColor: light.accent, textAlign: 'center' },
  button: {
    display: 'inline-block',
    padding: '14px 28px',
    fontSize: '16px',
    lineHeight: '20px',
    fontWeight: 600,
    textDecoration: 'none',
    color: light.onAccent,
  },
  hint: { margin: 0, fontSize: '13px', lineHeight: '20px', color: light.muted },
  link: { color: light.accent, wordBreak: 'break-all' },
  notes: { marginTop: '24px', paddingTop: '20px', borderTop: `1px solid ${light.line}` },
  note: { margin: '0 0 12px', fontSize: '14px', lineHeight: '22px', color: light.muted },
  lastNote: { margin: 0, fontSize: '14px', lineHeight: '22px', color: light.muted },
  footer: { padding: '20px 12px 0', fontSize: '12px', lineHeight: '18px', textAlign: 'center', color: light.muted },
  preview: { display: 'none', overflow: 'hidden', lineHeight: '1px', opacity: 0, maxHeight: 0, maxWidth: 0 },
} as const satisfies Record<string, CSSProperties>;

/** For clients that report a dark theme. Others invert the light colors themselves. */
export const darkSheet = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page { background-color: ${dark.page} !important; }
    .card { background-color: ${dark.card} !important; border-color: ${dark.line} !important; }
    .notes { border-color: ${dark.line} !important; }
    .text { color: ${dark.text} !important; }
    .muted { color: ${dark.muted} !important; }
    .accent { color: ${dark.accent} !important; }
    .code { background-color: ${dark.soft} !important; color: ${dark.text} !important; }
    .fill { background-color: ${dark.accent} !important; }
    .on-accent { color: ${dark.onAccent} !important; }
  }
  @media (max-width: 480px) {
    .card { padding: 24px 20px !important; }
    .wide { width: 100% !important; }
  }
`;
