/** The short hash of the built source, or `dev`. */
declare const __BUILD__: string;
/** The folder of the catalogues of words. */
declare const __TEXTS__: string;

/** What a build is told of its surroundings, beside what Vite says. */
interface ImportMetaEnv {
  readonly VITE_SERVICE_ENDPOINT?: string;
  readonly VITE_SERVICE_PROJECT?: string;
}

/** Its types describe another file of the package. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  export default function loadDecoder(): unknown;
}
