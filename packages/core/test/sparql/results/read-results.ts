import { once } from 'node:events';
import { Readable } from 'node:stream';
import type * as RDF from '@rdfjs/types';
import { SparqlJsonParser } from 'sparqljson-parse';
import { SparqlXmlParser } from 'sparqlxml-parse';
import { readTurtle } from '../../../src/formats/n3-reader.ts';
import { dataFactory } from '../../../src/model/term.ts';
import { readDocument } from '../../formats/documents.ts';
import { SolutionTable } from './solution-table.ts';

const settings = { dataFactory: dataFactory as unknown as RDF.DataFactory };
const jsonParser = new SparqlJsonParser(settings);
const xmlParser = new SparqlXmlParser(settings);

export function readJson(text: string): SolutionTable {
  const document = JSON.parse(text);
  const { vars } = document.head as { vars: string[] };
  const rows = jsonParser.parseJsonResults(document).map((solution) => vars.map((name) => own(solution, name)));
  return new SolutionTable(vars, rows);
}

/** The parsers give plain objects, which have more than was put into them. */
function own(solution: Record<string, unknown>, name: string): RDF.Term | undefined {
  return Object.hasOwn(solution, name) ? (solution[name] as RDF.Term) : undefined;
}

export function readJsonBoolean(text: string): boolean {
  return jsonParser.parseJsonBoolean(JSON.parse(text));
}

export async function readXml(text: string): Promise<SolutionTable> {
  let variables: string[] = [];
  const solutions: Record<string, RDF.Term>[] = [];
  const stream = xmlParser.parseXmlResultsStream(Readable.from([text]));
  stream.on('variables', (terms: RDF.Variable[]) => {
    variables = terms.map(({ value }) => value);
  });
  stream.on('data', (solution: Record<string, RDF.Term>) => solutions.push(solution));
  await once(stream, 'end');
  return new SolutionTable(
    variables,
    solutions.map((solution) => variables.map((name) => own(solution, name))),
  );
}

export function readXmlBoolean(text: string): Promise<boolean> {
  return xmlParser.parseXmlBooleanStream(Readable.from([text]));
}

/**
 * Every field is the object of a triple of one Turtle document: so a reader of Turtle judges its
 * syntax.
 */
export async function readTsv(text: string): Promise<SolutionTable> {
  if (!text.endsWith('\n')) throw new Error('The last line of a TSV has its end like the others.');
  const [head, ...lines] = text.slice(0, -1).split('\n');
  const variables = head === '' ? [] : head.split('\t');
  if (!variables.every((name) => name.startsWith('?'))) throw new Error(`No variables: ${head}`);
  const fields = lines.map((line) => (variables.length === 0 ? [] : line.split('\t')));
  const triples = fields.flatMap((row, r) =>
    row.flatMap((field, c) => (field === '' ? [] : [`<cell:${r}> <cell:${c}> ${field} .`])),
  );
  const rows = fields.map((row) => row.map((): RDF.Term | undefined => undefined));
  for (const { subject, predicate, object } of await readDocument(readTurtle, triples.join('\n'))) {
    const [row, column] = [subject, predicate].map(({ value }) => Number(value.slice('cell:'.length)));
    rows[row][column] = withDocumentLabels(object);
  }
  return new SolutionTable(
    variables.map((name) => name.slice(1)),
    rows,
  );
}

/** The reader puts a `d` before the labels of a document. */
function withDocumentLabels(term: RDF.Term): RDF.Term {
  if (term.termType === 'BlankNode') return dataFactory.blankNode(term.value.slice(1));
  if (term.termType !== 'Quad') return term;
  const [subject, predicate, object] = [term.subject, term.predicate, term.object].map(withDocumentLabels);
  return dataFactory.quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object);
}

/** RFC 4180 section 2, to the letter: records end with CRLF, quotes stand around a whole field. */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const at = field.lastIndex;
    const match = field.exec(text);
    if (!match) throw new Error(`Malformed CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    record.push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
    if (match[3] === ',') continue;
    records.push(record);
    record = [];
  }
  if (record.length > 0) throw new Error('The last record has no end.');
  return records;
}
