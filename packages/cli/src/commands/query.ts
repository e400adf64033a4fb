import { Option } from 'commander';
import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { answerTypesOf } from '../format-name.ts';
import { AT_OPTION } from '../moment-option.ts';
import { OUTPUT_OPTION, writeOutput } from '../output.ts';
import { resultsTable } from '../results-table.ts';
import { chosenPath, openSource, SOURCE_OPTIONS } from '../service-options.ts';
import { FILE_OPTION, sparqlInput } from '../sparql-input.ts';
import { tableStyle, WIDE_OPTION } from '../table-style.ts';
import { WORLD_OR_ALL_OPTION } from '../world-option.ts';

const TABLE_TYPE = 'application/sparql-results+json';
const TRIPLES_TYPE = 'text/turtle';

export const query = worldsCommand({
  name: 'query',
  summary: 'Run a SPARQL query over a world, or over all worlds of a namespace.',
  operand: '[TEXT]',
  options: [
    FILE_OPTION,
    WORLD_OR_ALL_OPTION,
    AT_OPTION,
    new Option('--format <FORMAT>', 'such as json, xml, csv, tsv; for triples, such as ttl, nt, nq, json, xml'),
    WIDE_OPTION,
    OUTPUT_OPTION,
    ...SOURCE_OPTIONS,
    READ_ONLY_OPTION,
  ],
  notes: [
    'Without --format, solutions are printed as a table, triples as Turtle.',
    'Tables shorten IRIs with the prefixes of the query and with well-known prefixes. On a terminal, they are cut to its width. The first 1,000 rows determine the widths of the columns.',
  ],
  activity: 'querying',
  open: openSource,
  async begin(given) {
    const format = given.text('format');
    const types = format === undefined ? [TABLE_TYPE, TRIPLES_TYPE] : answerTypesOf(format);
    const text = await sparqlInput(given);
    return async (service) => {
      // SPARQL 1.1 Protocol 2.1.3: a query endpoint refuses an update sent this way, so this
      // command changes nothing.
      const headers = { 'content-type': 'application/sparql-query', accept: types.join(', ') };
      const at = given.text('at');
      const moment = at === undefined ? '' : `?at=${encodeURIComponent(at)}`;
      const path = `${chosenPath(given, service)}/sparql${moment}`;
      const response = await service.send(path, { method: 'POST', headers, body: text, isIdempotent: true });
      const type = response.headers.get('content-type')?.split(';', 1)[0].trim() ?? '';
      if (!types.includes(type)) {
        await response.body?.cancel();
        const advice = type.includes('sparql-results')
          ? 'solutions: use --format json, xml, csv or tsv'
          : 'triples: use --format ttl, nt, trig, jsonld or rdf';
        throw new Error(`The result of this query cannot be written as ${format}, because it is ${advice}.`);
      }
      if (format !== undefined || type !== TABLE_TYPE) return writeOutput(response, given.text('output'));
      // Imported lazily: only tables need a SPARQL parser.
      const { queryPrefixes } = await import('../query-prefixes.ts');
      const pieces = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
      const table = resultsTable(pieces, { prefixes: await queryPrefixes(text), style: tableStyle(given) });
      const body = ReadableStream.from(table).pipeThrough(new TextEncoderStream());
      await writeOutput(new Response(body), given.text('output'));
    };
  },
});
