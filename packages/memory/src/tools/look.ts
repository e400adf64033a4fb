import { WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { z } from 'zod';
import { requireEntity } from '../entity-input.ts';
import { labelOf } from '../entity-labels.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import type { Triple } from '../fact.ts';
import { factAsData, factData, factLine } from '../fact-text.ts';
import { fitItems } from '../fit-items.ts';
import { DOCUMENTS_GRAPH, FACTS_GRAPH, TIMED_GRAPH } from '../memory-vocabulary.ts';
import { TermText } from '../term-text.ts';
import { defineTool, READS } from '../tool.ts';
import { worldInput } from '../world-input.ts';

/** Neighbours that point to the entity, at most. */
const MAX_INCOMING = 50;

export const look = defineTool({
  name: 'look',
  title: 'Look at an entity',
  description:
    'Shows what is known about one entity: labels, facts with their ids, time of validity, confidence and sources, and who points to it. Ended facts are marked.',
  annotations: READS,
  example: { entity: 'Ada Lovelace' },
  input: z.strictObject({
    entity: z.string().min(1).max(2_000).describe('IRI, prefix:name, _:label, or an exact name.'),
    world: worldInput,
  }),
  output: z.object({
    entity: z.string(),
    label: z.string().optional(),
    facts: z.array(factData),
    incoming: z.array(z.object({ subject: z.string(), label: z.string().optional(), predicate: z.string() })),
    document: z
      .object({ length: z.int(), sources: z.array(z.string()), stored: z.string().optional() })
      .optional()
      .describe('If it is a document.'),
    truncated: z.boolean(),
  }),
  async run({ entity: given, world: name }, { memory, signal }) {
    const { engine, scope, limits, prefixes } = memory;
    const world = scope.target('read', name);
    const entity = await requireEntity(memory, world, given, 'entity', signal);
    const now = memory.now();
    const believed = (await memory.facts(world).history(entity, { signal })).filter((fact) => !fact.retractedAt);
    const text = new TermText(prefixes, limits);
    const labels = new Map<string, string | undefined>();
    const labelFor = async (term: RDF.Term): Promise<string | undefined> => {
      if (term.termType !== 'NamedNode' && term.termType !== 'BlankNode') return undefined;
      const key = text.term(term);
      // The same neighbour often occurs many times, and labels of a huge entity would take long.
      if (!labels.has(key) && labels.size < limits.maxRows)
        labels.set(key, (await labelOf(engine, world, term, signal))?.slice(0, limits.maxTextLength));
      return labels.get(key);
    };
    const incoming: { subject: string; label?: string; predicate: string }[] = [];
    let hasMoreIncoming = false;
    const hidden = new Set([FACTS_GRAPH, TIMED_GRAPH, DOCUMENTS_GRAPH]);
    for await (const quad of engine.quads({ source: world, object: entity, signal })) {
      if (hidden.has(quad.graph.value)) continue;
      if ((hasMoreIncoming = incoming.length === MAX_INCOMING)) break;
      const label = await labelFor(quad.subject);
      incoming.push({
        subject: text.term(quad.subject),
        ...(label !== undefined && { label }),
        predicate: text.term(quad.predicate),
      });
    }
    const document =
      entity.termType === 'NamedNode' ? await memory.documents(world).get(entity, { signal }) : undefined;
    const shownDocument = document && {
      length: document.length,
      sources: document.sources.slice(0, 5).map((source) => source.slice(0, limits.maxTextLength)),
      ...(document.storedAt && { stored: document.storedAt.toISOString() }),
    };
    if (believed.length === 0 && incoming.length === 0 && !document) {
      throw new WorldsError(
        'NOT_FOUND',
        `Nothing is known about ${text.term(entity)} in ${scope.nameOf(world)}; call find_entity with its name, or history for what was known.`,
      );
    }
    const shownFacts = believed.slice(0, limits.maxRows).map((fact) => factAsData(fact, text, now));
    const maxTokens = Math.max(
      1,
      limits.maxResultTokens - 100 - (shownDocument ? estimateTokens(JSON.stringify(shownDocument)) : 0),
    );
    const neighbours = new Map<string, string | undefined>();
    for (const fact of believed.slice(0, limits.maxRows))
      neighbours.set(text.term(fact.object), await labelFor(fact.object));
    const facts = fitItems(
      shownFacts,
      (fact) => {
        const neighbour = neighbours.get(fact.object);
        const object = neighbour === undefined ? fact.object : `${fact.object} (${neighbour})`;
        return `  ${factLine({ ...fact, object }, { withSubject: false })}`;
      },
      incoming.length === 0 ? maxTokens : Math.floor(maxTokens * 0.75),
    );
    const pointing = fitItems(
      incoming,
      ({ subject, label, predicate }) => `  <- ${predicate} ${subject}${label === undefined ? '' : ` (${label})`}`,
      Math.floor(maxTokens * 0.25),
    );
    const omitted = facts.omitted + Math.max(0, believed.length - limits.maxRows);
    const truncated = omitted > 0 || pointing.omitted > 0 || hasMoreIncoming;
    const label = await labelOf(engine, world, entity as Triple['subject'], signal);
    const shownLabel = label?.slice(0, limits.maxTextLength);
    const note = truncated ? [`(truncated: ${omitted} more facts; use query for the rest)`] : [];
    return {
      text: [
        `${text.term(entity)}${shownLabel === undefined ? '' : ` ${JSON.stringify(shownLabel)}`}`,
        ...(shownDocument ? [documentLine(shownDocument)] : []),
        ...facts.lines,
        ...pointing.lines,
        ...note,
      ].join('\n'),
      data: {
        entity: text.term(entity),
        ...(shownLabel !== undefined && { label: shownLabel }),
        facts: [...facts.items],
        incoming: [...pointing.items],
        ...(shownDocument && { document: shownDocument }),
        truncated,
      },
    };
  },
});

function documentLine({ length, sources, stored }: { length: number; sources: string[]; stored?: string }): string {
  const parts = [`document of ${length} characters`, ...sources.map((source) => `source ${source}`)];
  if (stored !== undefined) parts.push(`stored ${stored}`);
  return `  ${parts.join('; ')}; search finds its passages`;
}
