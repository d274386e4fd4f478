/** The style of the console's pages: the colors of the app, light and dark. */
export const STYLE = `
:root{color-scheme:light dark;--bg:#f6f3ec;--surface:#fff;--surface-2:#efebe2;--line:#e3ddd1;--text:#17262c;--muted:#56666d;
--accent:#0b7285;--accent-strong:#085866;--accent-soft:#d9eff0;--on-accent:#fff;--ok:#2b7a3b;--danger:#b3261e;--sun:#f2b705}
@media (prefers-color-scheme:dark){:root{--bg:#0d1417;--surface:#141d21;--surface-2:#1b272c;--line:#26353b;--text:#e6edef;
--muted:#93a5ac;--accent:#3bc9db;--accent-strong:#66d9e8;--accent-soft:#12363d;--on-accent:#062328;--ok:#69db7c;--danger:#ff8a80;
--sun:#ffd43b}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:16px/1.5 -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Noto Sans',
Arial,sans-serif;overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
header,main{max-width:1040px;margin:0 auto;padding:0 16px}
header{padding-top:16px}
.top{display:flex;align-items:center;gap:12px;justify-content:space-between}
.name{font-size:20px;font-weight:700;color:var(--accent);border-bottom:4px solid var(--sun);border-radius:2px}
.name span{color:var(--muted);font-weight:400}
nav{display:flex;flex-wrap:wrap;gap:4px;margin:16px 0 0;border-bottom:1px solid var(--line)}
nav a{display:flex;align-items:center;min-height:44px;padding:0 12px;color:var(--muted);text-decoration:none;border-radius:8px 8px 0 0}
nav a:hover{background:var(--surface-2)}
nav a[aria-current]{color:var(--text);font-weight:600;box-shadow:inset 0 -3px var(--accent)}
main{padding-bottom:64px}
h1{font-size:26px;line-height:1.25;margin:28px 0 16px;text-wrap:balance}
h2{font-size:18px;line-height:1.35;margin:0 0 12px}
p{margin:0 0 12px;text-wrap:pretty}
.muted{color:var(--muted)}
.card{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:20px;margin:0 0 16px}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(180px,1fr));gap:16px;margin:0 0 16px}
.cards .card{margin:0}
.figure{font-size:26px;line-height:1.2;font-weight:700;font-variant-numeric:tabular-nums}
.card>:last-child{margin-bottom:0}
.narrow{max-width:560px}
dl{display:grid;grid-template-columns:minmax(96px,max-content) 1fr;gap:8px 20px;margin:0}
dt{color:var(--muted)}
dd{margin:0}
code{font:14px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--surface-2);border-radius:6px;padding:2px 6px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th{font-weight:600;color:var(--muted);font-size:14px}
th,td{text-align:left;vertical-align:middle;padding:10px 12px 10px 0;border-bottom:1px solid var(--line)}
td{font-variant-numeric:tabular-nums}
tr:last-child td{border-bottom:0}
th.number,td.number{text-align:right}
form{margin:0}
.row{display:flex;flex-wrap:wrap;gap:12px;align-items:end}
.row>label{flex:1 1 160px}
label{display:block;font-size:14px;color:var(--muted)}
input,button{font:inherit;min-height:44px;border-radius:10px}
input{display:block;width:100%;margin-top:4px;padding:8px 12px;color:var(--text);background:var(--surface);border:1px solid var(--muted)}
button{padding:8px 16px;border:1px solid var(--line);background:var(--surface-2);color:var(--text);font-weight:600;cursor:pointer}
button:hover{border-color:var(--accent)}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button.main:hover{background:var(--accent-strong)}
button.danger{color:var(--danger)}
button.link{min-height:0;padding:0;border:0;background:none;color:var(--accent);text-decoration:underline;font-weight:400;text-align:left}
td:has(form){text-align:right}
td:first-child{text-align:left}
.state{font-weight:600;white-space:nowrap}
.ok{color:var(--ok)}
.problem{color:var(--danger)}
.notice{border-left:4px solid var(--accent);background:var(--accent-soft)}
.notice.failed{border-left-color:var(--danger);background:var(--surface)}
meter{width:100%;height:16px}
form.gap{margin-top:16px}
.hidden{position:absolute;left:-9999px}
.skip{position:absolute;left:-9999px}
.skip:focus{left:16px;top:8px;background:var(--surface);padding:8px}
@media (max-width:600px){
nav a{padding:0 10px}
.stack thead{position:absolute;left:-9999px}
.stack tr{display:block;padding:12px 0;border-bottom:1px solid var(--line)}
.stack tr:last-child{border-bottom:0}
.stack td,.stack td.number,.stack td:has(form){display:block;border:0;padding:2px 0;text-align:left}
.stack td[data-name]::before{content:attr(data-name) ': ';color:var(--muted);font-size:14px}
dl{grid-template-columns:1fr;gap:0}
dd{margin-bottom:10px}
}
`;
