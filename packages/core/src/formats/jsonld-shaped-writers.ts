/** The writers of JSON-LD with a context or a frame, in one module that is loaded when needed. */
export { writeCompactJsonLd } from './jsonld-compact-writer.ts';
export { writeFramedJsonLd } from './jsonld-frame-writer.ts';
