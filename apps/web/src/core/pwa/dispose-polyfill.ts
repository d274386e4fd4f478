/**
 * Defines the symbols that `using` needs, for WebKit, which lacks them. Without them no message could be decrypted
 * there.
 *
 * A script for the very beginning of a page and of each worker, not a module: the engine's classes read the symbols
 * while they are defined, and the bundler decides which module runs first.
 */
export const disposePolyfill = `for (const name of ['dispose', 'asyncDispose']) Symbol[name] ??= Symbol.for('Symbol.' + name);`;
