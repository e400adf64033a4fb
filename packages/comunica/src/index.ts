/**
 * `@rdf-worlds/comunica`: a SPARQL engine on Comunica.
 *
 * @module @rdf-worlds/comunica
 */
export { type ComunicaEngineOptions, comunicaEngine } from './comunica-engine.ts';
