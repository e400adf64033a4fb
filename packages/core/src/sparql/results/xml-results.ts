import type * as RDF from '@rdfjs/types';
import type { BindingsBatch } from '../../contracts/sparql-engine.ts';
import { XSD_STRING } from '../../model/vocabulary.ts';
import { xmlAttribute, xmlContent } from '../../model/xml-escape.ts';
import { CHUNK_LENGTH, resultChunks } from './result-chunks.ts';
import type { ResultWriteOptions } from './result-format.ts';

const OPEN = '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n';
/**
 * Declared on the element that uses it, so that results without base directions are plain SPARQL
 * 1.1 XML.
 */
const ITS = 'xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0"';
const ADVICE = 'ask for application/sparql-results+json';

/**
 * Writes SELECT solutions as SPARQL Query Results XML. While streaming, throws UNSUPPORTED for a
 * term with a character that XML 1.0 cannot represent: most control characters, U+FFFE and U+FFFF.
 */
export function writeXmlBindings(
  variables: readonly string[],
  batches: AsyncIterable<BindingsBatch>,
  { slicer }: ResultWriteOptions,
): AsyncIterable<Uint8Array> {
  const names = variables.map((name) => xmlAttribute(name, ADVICE));
  const bindings = names.map((name) => `<binding name="${name}">`);
  function* rows(batch: BindingsBatch): Generator<string> {
    for (let row = 0; row < batch.length; row++) {
      let text = '<result>';
      for (let column = 0; column < bindings.length; column++) {
        const term = batch.term(row, column);
        // Section 2.3.1: an unbound variable has no binding element.
        if (term) text += `${bindings[column]}${xmlTerm(term)}</binding>`;
        if (text.length < CHUNK_LENGTH) continue;
        yield text;
        text = '';
      }
      yield `${text}</result>\n`;
    }
  }
  const head = `${OPEN}<head>${names.map((name) => `<variable name="${name}"/>`).join('')}</head>\n<results>\n`;
  return resultChunks(batches, { head, rows, tail: '</results>\n</sparql>\n' }, slicer);
}

export function writeXmlBoolean(value: boolean): Uint8Array {
  return new TextEncoder().encode(`${OPEN}<head></head>\n<boolean>${value}</boolean>\n</sparql>\n`);
}

/**
 * Encodes a term as in SPARQL Query Results XML section 2.3.1; triple terms and base directions as
 * in SPARQL 1.2 Query Results XML.
 */
function xmlTerm(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<uri>${xmlContent(term.value, ADVICE)}</uri>`;
    case 'BlankNode':
      return `<bnode>${xmlContent(term.value, ADVICE)}</bnode>`;
    case 'Literal':
      return `<literal${annotation(term)}>${xmlContent(term.value, ADVICE)}</literal>`;
    case 'Quad':
      return `<triple><subject>${xmlTerm(term.subject)}</subject><predicate>${xmlTerm(term.predicate)}</predicate><object>${xmlTerm(term.object)}</object></triple>`;
    default:
      throw new TypeError(`A ${term.termType} cannot be a value of a solution.`);
  }
}

function annotation({ language, direction, datatype }: RDF.Literal): string {
  if (language) {
    return ` xml:lang="${xmlAttribute(language, ADVICE)}"${direction ? ` ${ITS} its:dir="${direction}"` : ''}`;
  }
  return datatype.value === XSD_STRING ? '' : ` datatype="${xmlAttribute(datatype.value, ADVICE)}"`;
}
