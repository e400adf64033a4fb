import type * as RDF from '@rdfjs/types';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { XSD_STRING } from '../model/vocabulary.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { xmlAttribute, xmlContent } from '../model/xml-escape.ts';
import { byteChunks } from './byte-chunks.ts';
import { graphBatches } from './graph-batches.ts';
import type { WriteOptions } from './rdf-format.ts';
import { RdfXmlPredicates } from './rdfxml-predicates.ts';

const ADVICE = 'use text/turtle or application/n-triples';

/**
 * Writes the default graph as RDF/XML 1.1, in chunks of about 64 KiB: an rdf:Description per
 * subject. Makes two passes, the first for the names of the predicates: namespaces can then be
 * declared once, at the root, and a predicate without an XML name is detected before the first byte
 * is written.
 *
 * Throws UNSUPPORTED for data that RDF/XML cannot represent: a predicate that does not end with an
 * XML name or that is syntax (rdf:li), triple terms, base directions, and characters outside XML
 * 1.0.
 */
export async function* writeRdfXml(
  source: QuadSource,
  terms: TermBytesSource,
  { prefixes, slicer }: WriteOptions,
): AsyncGenerator<Uint8Array> {
  const predicates = new RdfXmlPredicates(prefixes);
  const elements = new Map<TermId, string>();
  for (const { predicate, object, length } of graphBatches(source, DEFAULT_GRAPH)) {
    for (let row = 0; row < length; row++) {
      const id = predicate[row];
      if (!elements.has(id)) elements.set(id, predicates.name(terms.term(id).value));
      if (terms.kind(object[row]) === 'triple') throw unsupported('triple terms');
    }
    if (slicer.due) await slicer.pause();
  }
  yield* byteChunks(document(source, terms, elements, predicates.namespaces), slicer);
}

function* document(
  source: QuadSource,
  terms: TermBytesSource,
  elements: ReadonlyMap<TermId, string>,
  namespaces: ReadonlyMap<string, string>,
): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF';
  for (const [namespace, prefix] of namespaces) {
    yield ` xmlns${prefix === '' ? '' : `:${prefix}`}="${xmlAttribute(namespace, ADVICE)}"`;
  }
  yield '>\n';
  let lastSubject: TermId = NO_TERM;
  for (const { subject, predicate, object, length } of graphBatches(source, DEFAULT_GRAPH)) {
    for (let row = 0; row < length; row++) {
      if (subject[row] !== lastSubject) {
        if (lastSubject !== NO_TERM) yield '</rdf:Description>\n';
        lastSubject = subject[row];
        yield `<rdf:Description ${reference(terms, lastSubject, 'about')}>\n`;
      }
      yield property(terms, elements.get(predicate[row])!, object[row]);
    }
  }
  if (lastSubject !== NO_TERM) yield '</rdf:Description>\n';
  yield '</rdf:RDF>\n';
}

/** Returns a property element: RDF/XML 1.1 sections 7.2.16 (literals) and 7.2.21 (resources). */
function property(terms: TermBytesSource, element: string, object: TermId): string {
  if (terms.kind(object) !== 'literal') return `  <${element} ${reference(terms, object, 'resource')}/>\n`;
  const { value, language, direction, datatype } = terms.term(object) as RDF.Literal;
  if (direction) throw unsupported('base directions');
  let attribute = '';
  if (language) attribute = ` xml:lang="${language}"`;
  else if (datatype.value !== XSD_STRING) attribute = ` rdf:datatype="${xmlAttribute(datatype.value, ADVICE)}"`;
  return `  <${element}${attribute}>${xmlContent(value, ADVICE)}</${element}>\n`;
}

/**
 * Returns the attribute that names a node. Blank-node labels issued by the library are valid XML
 * names.
 */
function reference(terms: TermBytesSource, id: TermId, attribute: 'about' | 'resource'): string {
  if (terms.kind(id) === 'blank') return `rdf:nodeID="${terms.blankNodeLabel(id)}"`;
  return `rdf:${attribute}="${xmlAttribute(terms.term(id).value, ADVICE)}"`;
}

function unsupported(what: string): WorldsError {
  return new WorldsError(
    'UNSUPPORTED',
    `RDF/XML 1.1 cannot represent ${what}: export as application/n-quads or application/trig.`,
  );
}
