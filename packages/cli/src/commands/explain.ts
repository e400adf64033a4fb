import type { QueryPlan } from '@rdf-worlds/core';
import { Option } from 'commander';
import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { writeText } from '../output.ts';
import { asksJson, jsonText } from '../record-format.ts';
import { jsonQuery } from '../service.ts';
import { chosenPath, openSource, SOURCE_OPTIONS } from '../service-options.ts';
import { FILE_OPTION, sparqlInput } from '../sparql-input.ts';
import { WORLD_OR_ALL_OPTION } from '../world-option.ts';

export const explain = worldsCommand({
  name: 'explain',
  summary: 'Show how a query or update is evaluated. Changes nothing.',
  operand: '[TEXT]',
  options: [
    FILE_OPTION,
    WORLD_OR_ALL_OPTION,
    new Option('--analyze', 'run the query, and show rows, time and memory of each operator'),
    new Option('--algebra', 'also print the SPARQL algebra'),
    new Option('--format <FORMAT>').choices(['text', 'json']).default('text'),
    ...SOURCE_OPTIONS,
    READ_ONLY_OPTION,
  ],
  notes: ['A server returns plans only to callers that may read all worlds of the namespace.'],
  activity: 'explaining',
  open: openSource,
  async begin(given) {
    const isJson = asksJson(given);
    const query = await sparqlInput(given);
    return async (service) => {
      const body = { query, explain: given.flag('analyze') ? 'analyze' : 'plan' };
      const response = await service.send(`${chosenPath(given, service)}/sparql`, jsonQuery(body));
      const plan = (await response.json()) as QueryPlan;
      if (isJson) return writeText(jsonText(plan));
      const algebra = given.flag('algebra') && plan.algebra !== undefined ? `${plan.algebra}\n\n` : '';
      await writeText(`${algebra}${plan.text}\n`);
    };
  },
});
