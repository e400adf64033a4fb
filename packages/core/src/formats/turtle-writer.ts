import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { RDF_TYPE } from '../model/vocabulary.ts';
import { byteChunks } from './byte-chunks.ts';
import { graphBatches } from './graph-batches.ts';
import type { WriteOptions } from './rdf-format.ts';
import { TurtleTerms } from './turtle-terms.ts';

/**
 * Writes the default graph as Turtle, in chunks of about 64 KiB. Streams: groups subjects and
 * predicates in the source's sort order. Declares all given prefixes that Turtle can express, used
 * or not; blank nodes are written by label.
 */
export function writeTurtle(
  source: QuadSource,
  terms: TermBytesSource,
  { prefixes, slicer }: WriteOptions,
): AsyncIterable<Uint8Array> {
  const text = new TurtleTerms(terms, prefixes);
  return byteChunks(document(source, text, 'default graph'), slicer);
}

/** Writes the dataset as TriG, including empty named graphs; like {@link writeTurtle}. */
export function writeTrig(
  source: QuadSource,
  terms: TermBytesSource,
  { prefixes, slicer }: WriteOptions,
): AsyncIterable<Uint8Array> {
  const text = new TurtleTerms(terms, prefixes);
  return byteChunks(document(source, text, 'dataset'), slicer);
}

function* document(source: QuadSource, text: TurtleTerms, content: 'default graph' | 'dataset'): Generator<string> {
  for (const [name, namespace] of text.prefixes) yield `@prefix ${name}: <${namespace}> .\n`;
  if (text.prefixes.size > 0) yield '\n';
  yield* graph(source, text, DEFAULT_GRAPH, '');
  if (content === 'default graph') return;
  for (const id of source.graphs) {
    yield `${text.text(id)} {\n`;
    yield* graph(source, text, id, '  ');
    yield '}\n';
  }
}

function* graph(source: QuadSource, text: TurtleTerms, id: TermId, indent: string): Generator<string> {
  const type = text.iri(RDF_TYPE);
  let lastSubject: TermId = NO_TERM;
  let lastPredicate: TermId = NO_TERM;
  for (const { subject, predicate, object, length } of graphBatches(source, id)) {
    for (let row = 0; row < length; row++) {
      if (subject[row] === lastSubject && predicate[row] === lastPredicate) {
        yield `, ${text.text(object[row])}`;
        continue;
      }
      const verb = text.text(predicate[row]);
      const tail = `${verb === type ? 'a' : verb} ${text.text(object[row])}`;
      if (subject[row] === lastSubject) yield ` ;\n${indent}  ${tail}`;
      else yield `${lastSubject === NO_TERM ? '' : ' .\n'}${indent}${text.text(subject[row])} ${tail}`;
      lastSubject = subject[row];
      lastPredicate = predicate[row];
    }
  }
  if (lastSubject !== NO_TERM) yield ' .\n';
}
