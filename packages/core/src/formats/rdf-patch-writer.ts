import type * as RDF from '@rdfjs/types';
import { quotedText } from '../model/quoted-text.ts';
import { XSD_STRING } from '../model/vocabulary.ts';

/** Number of rows per piece of text, unless they are longer than most. */
const BLOCK_ROWS = 256;
/** UTF-16 code units of a piece that ends earlier. */
const BLOCK_LENGTH = 1 << 16;

/** The content of an RDF Patch. */
export interface PatchContent {
  /** Names must be words; values are written as strings. */
  readonly header: Readonly<Record<string, string>>;
  readonly deleted: Iterable<RDF.Quad>;
  readonly inserted: Iterable<RDF.Quad>;
}

/**
 * Yields an RDF Patch of one transaction in pieces of whole rows. Blank nodes keep their labels.
 */
export function* writeRdfPatch({ header, deleted, inserted }: PatchContent): Generator<string, void, void> {
  let text = '';
  for (const [name, value] of Object.entries(header)) text += `H ${name} ${quotedText(value)} .\n`;
  yield `${text}TX .\n`;
  for (const [code, quads] of [['D', deleted] as const, ['A', inserted] as const]) {
    let rows = 0;
    text = '';
    for (const { subject, predicate, object, graph } of quads) {
      const end = graph.termType === 'DefaultGraph' ? '.' : `${termText(graph)} .`;
      text += `${code} ${termText(subject)} ${termText(predicate)} ${termText(object)} ${end}\n`;
      if (++rows < BLOCK_ROWS && text.length < BLOCK_LENGTH) continue;
      yield text;
      text = '';
      rows = 0;
    }
    if (text !== '') yield text;
  }
  yield 'TC .\n';
}

/** Returns a term in N-Quads syntax. */
function termText(term: RDF.Term): string {
  switch (term.termType) {
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Quad':
      return `<<( ${termText(term.subject)} ${termText(term.predicate)} ${termText(term.object)} )>>`;
    case 'Literal': {
      const text = quotedText(term.value);
      if (term.language) return `${text}@${term.language}${term.direction ? `--${term.direction}` : ''}`;
      return term.datatype.value === XSD_STRING ? text : `${text}^^<${term.datatype.value}>`;
    }
    default:
      return `<${term.value}>`;
  }
}
