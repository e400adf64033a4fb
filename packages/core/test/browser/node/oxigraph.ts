/** Oxigraph, whose module for browsers has to be told where its WebAssembly is. */
import * as module from '../../../../../node_modules/oxigraph/web.js';
// @ts-expect-error: a file, whose address esbuild gives
import address from '../../../../../node_modules/oxigraph/web_bg.wasm';

type Web = typeof import('oxigraph') & { readonly default: (options: { module_or_path: string }) => Promise<unknown> };

const web = module as unknown as Web;
await web.default({ module_or_path: address });

// What tests use. With `export *`, a bundler would leave out the line above.
export const { Store, blankNode, defaultGraph, literal, namedNode, parse, quad } = web;
