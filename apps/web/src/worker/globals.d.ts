/** What is put aside when the worker is installed: all that a start without a network needs. */
declare const __PRECACHE__: { url: string; revision: string | null }[];
/** Put aside once the worker runs: large, and wanted by everybody who writes. */
declare const __AFTERWARDS__: string[];
/** The address of aside.ts. */
declare const __ASIDE__: string;
