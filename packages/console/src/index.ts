/**
 * `@rdf-worlds/console`: the console of RDF Worlds, a page in the browser for the worlds of a
 * service.
 *
 * @module @rdf-worlds/console
 */
export { type ConsoleOptions, consolePages } from './console-pages.ts';
