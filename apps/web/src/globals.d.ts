/** The short hash of the built source, or `dev`. */
declare const __BUILD__: string;
/** The folder of the text catalogues. */
declare const __TEXTS__: string;

/** The environment variables of a build, in addition to Vite's. */
interface ImportMetaEnv {
  readonly VITE_SERVICE_ENDPOINT?: string;
  readonly VITE_SERVICE_PROJECT?: string;
}

/** The package's own types describe another file. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  export default function loadDecoder(): unknown;
}
