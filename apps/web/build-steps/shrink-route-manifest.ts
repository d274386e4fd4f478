/**
 * React Router lists every route of every language with all its files: a hundred kilobytes that each visitor loads
 * first, and too far apart for gzip to find the repetitions between languages. As a table whose rows name files by
 * number, the manifest takes a fraction of that.
 */
const HEAD = 'window.__reactRouterManifest=';

interface Manifest {
  routes: Record<string, Record<string, unknown>>;
}

/** The same value for the browser, in fewer characters. */
export function shrinkRouteManifest(script: string): string {
  if (!script.startsWith(HEAD)) throw new Error('the manifest of routes is not where it was');
  const manifest = JSON.parse(script.slice(HEAD.length).replace(/;\s*$/, '')) as Manifest;
  const files: string[] = [];
  const routeShapes: string[] = [];
  // A page needs the same files in every language, so they are listed once.
  const routeFiles: string[] = [];
  const rows = Object.values(manifest.routes).map((route) => {
    const { id, parentId, path, module, imports, css, ...shape } = route;
    const routeFile = [intern(routeShapes, JSON.stringify(shape)), name(module), list(imports), list(css)];
    return [id, parentId ?? 0, path ?? 0, intern(routeFiles, JSON.stringify(routeFile))];
  });
  const parts = { f: files, s: routeShapes.map(parse), n: routeFiles.map(parse), r: rows };
  const { routes: _, ...rest } = manifest;
  return `${HEAD}${expandScript}(${JSON.stringify(parts)},${JSON.stringify(rest)});`;

  function name(file: unknown): number {
    return intern(files, String(file));
  }

  function list(names: unknown): number[] {
    return (names as string[]).map(name);
  }
}

function parse(text: string): unknown {
  return JSON.parse(text);
}

function intern(list: string[], item: string): number {
  const known = list.indexOf(item);
  return known >= 0 ? known : list.push(item) - 1;
}

const expandScript =
  '(({f,s,n,r},m)=>{m.routes={};for(let[i,p,h,k]of r){let[z,o,l,c]=n[k];m.routes[i]={id:i,...p&&{parentId:p},' +
  '...h!==0&&{path:h},...s[z],module:f[o],imports:l.map(x=>f[x]),css:c.map(x=>f[x])}}return m})';
