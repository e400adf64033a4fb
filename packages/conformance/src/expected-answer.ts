import { once } from 'node:events';
import { Readable } from 'node:stream';
import type * as RDFJS from '@rdfjs/types';
import { SparqlXmlParser } from 'sparqlxml-parse';
import { expectedQuads } from './dataset-comparison.ts';
import { ManifestGraph } from './manifest-graph.ts';
import { answerFromJson, type QueryAnswer } from './query-answer.ts';
import type { SuiteFiles } from './suite-files.ts';
import { RDF, RS } from './vocabulary.ts';

type Reader = (file: string, files: SuiteFiles) => Promise<QueryAnswer>;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['srx', async (file, files) => answerFromXml(await files.text(file))],
  ['srj', async (file, files) => answerFromJson(JSON.parse(await files.text(file)))],
  ['ttl', answerFromTurtle],
  ['nt', answerFromTurtle],
]);

/** Reads the answer that a test expects, by the extension of its file. */
export async function expectedAnswer(file: string, files: SuiteFiles): Promise<QueryAnswer> {
  const reader = READERS.get(file.slice(file.lastIndexOf('.') + 1));
  if (!reader) throw new Error(`No reader is known for the expected result <${file}>; add its extension to READERS.`);
  return reader(file, files);
}

/** SPARQL Query Results XML Format. */
export async function answerFromXml(text: string): Promise<QueryAnswer> {
  const parser = new SparqlXmlParser();
  if (/<(?:\w+:)?boolean>/.test(text))
    return { type: 'boolean', value: await parser.parseXmlBooleanStream(Readable.from([text])) };
  let variables: string[] = [];
  const solutions: Map<string, RDFJS.Term>[] = [];
  const stream = parser.parseXmlResultsStream(Readable.from([text]));
  stream.on('variables', (terms: RDFJS.Variable[]) => {
    variables = terms.map((term) => term.value);
  });
  stream.on('data', (solution: Record<string, RDFJS.Term>) => {
    solutions.push(new Map(Object.entries(solution)));
  });
  await once(stream, 'end');
  return { type: 'bindings', variables, solutions };
}

/** Turtle that is either the graph of a CONSTRUCT or a result set in the rs: vocabulary. */
async function answerFromTurtle(file: string, files: SuiteFiles): Promise<QueryAnswer> {
  const graph = new ManifestGraph(await files.text(file), file);
  const [set] = graph.subjects(`${RDF}type`, `${RS}ResultSet`);
  return set ? answerFromResultSet(graph, set) : { type: 'quads', quads: await expectedQuads(file, files) };
}

/** A node of type rs:ResultSet; rs:index, where it is given, orders the solutions. */
export function answerFromResultSet(graph: ManifestGraph, set: RDFJS.Term): QueryAnswer {
  const boolean = graph.object(set, `${RS}boolean`);
  if (boolean) return { type: 'boolean', value: boolean.value === 'true' };
  const index = (node: RDFJS.Term) => Number(graph.object(node, `${RS}index`)?.value ?? 0);
  const nodes = graph.objects(set, `${RS}solution`).sort((a, b) => index(a) - index(b));
  return {
    type: 'bindings',
    variables: graph.objects(set, `${RS}resultVariable`).map((term) => term.value),
    solutions: nodes.map((node) => {
      const solution = new Map<string, RDFJS.Term>();
      for (const binding of graph.objects(node, `${RS}binding`)) {
        const variable = graph.object(binding, `${RS}variable`);
        const value = graph.object(binding, `${RS}value`);
        if (!variable || !value) throw new Error('A binding of the result set has no variable or no value.');
        solution.set(variable.value, value);
      }
      return solution;
    }),
  };
}
