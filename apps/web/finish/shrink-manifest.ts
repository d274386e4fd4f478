/**
 * React Router lists every route of every language with all the files it needs: a hundred kilobytes that each visitor
 * reads first, and too far apart for gzip to see that the languages repeat each other. Written as a table whose rows
 * name files by number it says the same in a fraction of that.
 */
const HEAD = 'window.__reactRouterManifest=';

interface Manifest {
  routes: Record<string, Record<string, unknown>>;
}

/** The same value for the browser, in fewer letters. */
export function shrinkManifest(script: string): string {
  if (!script.startsWith(HEAD)) throw new Error('the manifest of routes is not where it was');
  const manifest = JSON.parse(script.slice(HEAD.length).replace(/;\s*$/, '')) as Manifest;
  const files: string[] = [];
  const shapes: string[] = [];
  // A page needs the same files in every language: said once.
  const needs: string[] = [];
  const rows = Object.values(manifest.routes).map((route) => {
    const { id, parentId, path, module, imports, css, ...shape } = route;
    const need = [place(shapes, JSON.stringify(shape)), name(module), list(imports), list(css)];
    return [id, parentId ?? 0, path ?? 0, place(needs, JSON.stringify(need))];
  });
  const parts = { f: files, s: shapes.map(parse), n: needs.map(parse), r: rows };
  const { routes: _, ...rest } = manifest;
  return `${HEAD}${unfold}(${JSON.stringify(parts)},${JSON.stringify(rest)});`;

  function name(file: unknown): number {
    return place(files, String(file));
  }

  function list(names: unknown): number[] {
    return (names as string[]).map(name);
  }
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

function place(list: string[], item: string): number {
  const known = list.indexOf(item);
  return known >= 0 ? known : list.push(item) - 1;
}

const unfold =
  '(({f,s,n,r},m)=>{m.routes={};for(let[i,p,h,k]of r){let[z,o,l,c]=n[k];m.routes[i]={id:i,...p&&{parentId:p},' +
  '...h!==0&&{path:h},...s[z],module:f[o],imports:l.map(x=>f[x]),css:c.map(x=>f[x])}}return m})';
