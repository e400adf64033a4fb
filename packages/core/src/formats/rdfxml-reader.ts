import type { QuadSink } from '../contracts/quad-sink.ts';
import { type TextLocation, WorldsError } from '../model/worlds-error.ts';
import { addQuad } from './add-quad.ts';
import { checkedBaseIri } from './base-iri.ts';
import { DocumentTerms } from './document-terms.ts';
import { IriMeter } from './iri-meter.ts';
import { PacedText } from './paced-text.ts';
import type { ReadOptions } from './rdf-format.ts';
import { RdfXmlGrammar } from './rdfxml-grammar.ts';
import { declaredEntities } from './xml-entities.ts';
import { xmlText } from './xml-text.ts';

/** Entities may expand a document by this factor plus this many UTF-16 units. */
const MAX_EXPANSION_FACTOR = 20;
const MAX_EXPANSION = 1 << 20;

type Saxes = typeof import('@rubensworks/saxes');

/**
 * Loads the XML parser on first use, so that importing the library stays cheap. It is CommonJS: a
 * bundle of esbuild that is split into several files has its exports only as the default export.
 */
async function saxes(): Promise<Saxes> {
  const module: Saxes & { readonly default?: Saxes } = await import('@rubensworks/saxes');
  return 'SaxesParser' in module ? module : (module as { readonly default: Saxes }).default;
}

/**
 * Reads RDF/XML 1.1. Streams: holds one element's text and the rdf:IDs in memory. Never loads
 * external resources, neither DTDs nor entities. Locations are those of the XML parser; columns
 * count UTF-16 units.
 */
export async function readRdfXml(
  chunks: AsyncIterable<Uint8Array>,
  sink: QuadSink,
  options: ReadOptions,
): Promise<void> {
  const baseIri = checkedBaseIri(options.baseIri);
  const { SaxesParser } = await saxes();
  const xml = new SaxesParser({ xmlns: true });

  const location = (): TextLocation => ({ line: xml.line, column: xml.columnIndex + 1 });
  const fail = (message: string): never => {
    throw new WorldsError('INVALID_RDF', `Invalid RDF/XML: ${message}`, { location: location() });
  };
  const meter = new IriMeter(options.limits, location);
  const paced = new PacedText(meter, options.slicer, (piece) => {
    xml.write(piece);
    return piece.length;
  });
  const grammar = new RdfXmlGrammar({
    terms: new DocumentTerms(fail, meter),
    meter,
    baseIri,
    add(quad) {
      paced.quads++;
      addQuad(sink, quad, fail);
    },
    fail,
  });

  let expanded = 0;
  xml.on('error', ({ message }) => fail(message.replace(/\.$/, '')));
  xml.on('doctype', (doctype) => {
    for (const [name, value] of declaredEntities(doctype, meter, fail)) {
      // The parser reads the property at each reference, so the expansion is counted here.
      Object.defineProperty(xml.ENTITIES, name, {
        get() {
          expanded += value.length;
          if (expanded > MAX_EXPANSION + MAX_EXPANSION_FACTOR * meter.read)
            fail(`entities expand the document by more than a factor of ${MAX_EXPANSION_FACTOR}`);
          return value;
        },
      });
    }
  });
  let attributes = 0;
  xml.on('attribute', () => meter.claimAttributes(++attributes));
  xml.on('opentag', (tag) => {
    attributes = 0;
    grammar.openTag(tag);
  });
  xml.on('closetag', () => grammar.closeTag());
  xml.on('text', (text) => grammar.text(text));
  xml.on('cdata', (text) => grammar.text(text));
  xml.on('comment', (text) => grammar.comment(text));
  xml.on('processinginstruction', ({ target, body }) => grammar.instruction(target, body));

  // The parser scans each token once, however it is split.
  for await (const text of xmlText(chunks, options)) await paced.add(text);
  xml.close();
}
