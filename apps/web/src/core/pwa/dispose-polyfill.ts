/**
 * What `using` asks objects for, where the browser has no name for it: WebKit. Without it no message would ever open there.
 *
 * A script for the very beginning of a page and of each worker, not a module: the engine's classes look for the name
 * while they are made, and the bundler decides which module comes first.
 */
export const disposePolyfill = `for (const name of ['dispose', 'asyncDispose']) Symbol[name] ??= Symbol.for('Symbol.' + name);`;
