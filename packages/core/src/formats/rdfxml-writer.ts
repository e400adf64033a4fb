import type * as RDF from '@rdfjs/types';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { XSD_STRING } from '../model/vocabulary.ts';
import { xmlAttribute, xmlContent } from '../model/xml-escape.ts';
import { byteChunks } from './byte-chunks.ts';
import { graphBatches } from './graph-batches.ts';
import type { WriteOptions } from './rdf-format.ts';
import { RdfXmlSurvey } from './rdfxml-survey.ts';

const ADVICE = 'use text/turtle or application/n-triples';

/**
 * Writes the default graph as RDF/XML, in chunks of about 64 KiB: an rdf:Description per subject.
 * Data with triple terms or base directions makes it a document of RDF 1.2, which says so; other
 * data is readable as RDF 1.1. Makes two passes, the first for what the root must declare, such as
 * the namespaces of the predicates. A predicate without an XML name is detected there, before the
 * first byte is written.
 *
 * Throws UNSUPPORTED for data that RDF/XML cannot represent: a predicate that does not end with an
 * XML name or that is syntax (rdf:li), and characters outside XML 1.0.
 */
export async function* writeRdfXml(
  source: QuadSource,
  terms: TermBytesSource,
  { prefixes, slicer }: WriteOptions,
): AsyncGenerator<Uint8Array> {
  const survey = new RdfXmlSurvey(terms, prefixes);
  for (const { predicate, object, length } of graphBatches(source, DEFAULT_GRAPH)) {
    for (let row = 0; row < length; row++) survey.add(predicate[row], object[row]);
    if (slicer.due) await slicer.pause();
  }
  yield* byteChunks(document(source, terms, survey), slicer);
}

function* document(source: QuadSource, terms: TermBytesSource, survey: RdfXmlSurvey): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF';
  for (const [namespace, prefix] of survey.namespaces) {
    yield ` xmlns${prefix === '' ? '' : `:${prefix}`}="${xmlAttribute(namespace, ADVICE)}"`;
  }
  if (survey.isRdf12) yield ' rdf:version="1.2"';
  if (survey.itsPrefix) yield ` ${survey.itsPrefix}:version="2.0"`;
  yield '>\n';
  let lastSubject: TermId = NO_TERM;
  for (const { subject, predicate, object, length } of graphBatches(source, DEFAULT_GRAPH)) {
    for (let row = 0; row < length; row++) {
      if (subject[row] !== lastSubject) {
        if (lastSubject !== NO_TERM) yield '</rdf:Description>\n';
        lastSubject = subject[row];
        yield `<rdf:Description ${reference(terms, lastSubject, 'about')}>\n`;
      }
      yield `${property(terms, survey, predicate[row], object[row])}\n`;
    }
  }
  if (lastSubject !== NO_TERM) yield '</rdf:Description>\n';
  yield '</rdf:RDF>\n';
}

/**
 * Returns a property element: RDF/XML 1.1 sections 7.2.16 (literals) and 7.2.21 (resources), and
 * triple terms of RDF 1.2, each on one line.
 */
function property(terms: TermBytesSource, survey: RdfXmlSurvey, predicate: TermId, object: TermId): string {
  let [opened, closed] = ['  ', ''];
  while (terms.kind(object) === 'triple') {
    const element = survey.element(predicate);
    const [subject, innerPredicate, innerObject] = terms.tripleOf(object);
    opened += `<${element} rdf:parseType="Triple"><rdf:Description ${reference(terms, subject, 'about')}>`;
    closed = `</rdf:Description></${element}>${closed}`;
    [predicate, object] = [innerPredicate, innerObject];
  }
  const element = survey.element(predicate);
  if (terms.kind(object) !== 'literal')
    return `${opened}<${element} ${reference(terms, object, 'resource')}/>${closed}`;
  const { value, language, direction, datatype } = terms.term(object) as RDF.Literal;
  let attributes = '';
  if (language) attributes = ` xml:lang="${language}"`;
  else if (datatype.value !== XSD_STRING) attributes = ` rdf:datatype="${xmlAttribute(datatype.value, ADVICE)}"`;
  if (direction) attributes += ` ${survey.itsPrefix}:dir="${direction}"`;
  return `${opened}<${element}${attributes}>${xmlContent(value, ADVICE)}</${element}>${closed}`;
}

/**
 * Returns the attribute that names a node. Blank-node labels issued by the library are valid XML
 * names.
 */
function reference(terms: TermBytesSource, id: TermId, attribute: 'about' | 'resource'): string {
  if (terms.kind(id) === 'blank') return `rdf:nodeID="${terms.blankNodeLabel(id)}"`;
  return `rdf:${attribute}="${xmlAttribute(terms.term(id).value, ADVICE)}"`;
}
