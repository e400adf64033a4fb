import type { SparqlAskResults, SparqlSelectResults } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Command } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { answerTypesOf } from '../format-name.ts';
import { OUTPUT_OPTION, writeOutput, writeText } from '../output.ts';
import { resultsTable } from '../results-table.ts';
import { chosenNamespace, chosenWorld, openSource, SOURCE_OPTIONS, withService } from '../service-options.ts';
import { FILE_OPTION, sparqlInput } from '../sparql-input.ts';
import { collectionPath, worldPath } from '../world-name.ts';
import { WORLD_OR_ALL_OPTION } from '../world-option.ts';

const TABLE_TYPE = 'application/sparql-results+json';
const TRIPLES_TYPE = 'text/turtle';

export const query: Command = {
  name: 'query',
  summary: 'Run a SPARQL query over a world, or over all worlds of a namespace.',
  operand: '[TEXT]',
  options: [
    FILE_OPTION,
    WORLD_OR_ALL_OPTION,
    new Option('--format <FORMAT>', 'json, xml, csv or tsv; of triples ttl, nt, nq, json, xml and so on'),
    OUTPUT_OPTION,
    ...SOURCE_OPTIONS,
    READ_ONLY_OPTION,
  ],
  notes: ['Without --format, solutions are a table, triples are Turtle.'],
  async run(given) {
    const format = given.text('format');
    const types = format === undefined ? [TABLE_TYPE, TRIPLES_TYPE] : answerTypesOf(format);
    const text = await sparqlInput(given);
    await withService(openSource(given), async (service) => {
      const world = chosenWorld(given, service);
      const path = world ? worldPath(world) : collectionPath(chosenNamespace(given));
      // SPARQL 1.1 Protocol 2.1.3: an update sent like this is refused, so that a query changes nothing.
      const headers = { 'content-type': 'application/sparql-query', accept: types.join(', ') };
      const response = await service.send(`${path}/sparql`, { method: 'POST', headers, body: text });
      const type = response.headers.get('content-type')?.split(';', 1)[0].trim() ?? '';
      if (!types.includes(type)) {
        await response.body?.cancel();
        throw new Error(`The answer of this query cannot be written as ${format}; it would be ${type}.`);
      }
      if (format === undefined && type === TABLE_TYPE) {
        await writeText(
          resultsTable((await response.json()) as SparqlSelectResults | SparqlAskResults),
          given.text('output'),
        );
      } else await writeOutput(response, given.text('output'));
    });
  },
};
