import { dataFactory, WorldsError } from '@rdf-worlds/core';
import { z } from 'zod';
import type { AgentMemory } from '../agent-memory.ts';
import { contextFields, readContext } from '../context-input.ts';
import { countOf } from '../count-of.ts';
import { DOCUMENT_TYPES, documentError, documentTriples } from '../document-triples.ts';
import { shortEntity } from '../entity-input.ts';
import type { Fact, NewFact } from '../fact.ts';
import { factAsData, factData, factLine } from '../fact-text.ts';
import { fitItems } from '../fit-items.ts';
import { LABEL_PREDICATES, RDF_TYPE } from '../memory-vocabulary.ts';
import { TermText } from '../term-text.ts';
import { ADDS, defineTool } from '../tool.ts';
import { TripleInputs, tripleFields } from '../triple-input.ts';
import { withoutDeclared } from '../without-declared.ts';
import { worldInput } from '../world-input.ts';
import type { WorldName } from '../world-name.ts';

export const remember = defineTool({
  name: 'remember',
  title: 'Remember facts',
  description:
    'Stores facts with their source, time and confidence, in one commit. Pass facts, or an RDF document. Names become entities: an entity with exactly that name is reused. Nothing is overwritten; if the result shows other values that are no longer true, call correct.',
  annotations: ADDS,
  example: {
    facts: [
      { subject: 'Ada', predicate: 'works at', object: 'Acme' },
      { subject: 'Ada', predicate: 'note', value: 'likes tea' },
    ],
    source: 'a call',
  },
  input: z.strictObject({
    facts: z.array(z.strictObject({ ...tripleFields, ...contextFields })).optional(),
    document: z.string().optional().describe('Instead of facts: RDF.'),
    content_type: z.enum(DOCUMENT_TYPES).optional().describe('Of document. Default: text/turtle.'),
    ...contextFields,
    world: worldInput,
  }),
  output: z.object({
    recorded: z.array(factData),
    recordedCount: z.int(),
    alreadyKnown: z.int(),
    newEntities: z.array(z.object({ entity: z.string(), name: z.string(), similar: z.array(z.string()) })),
    otherValues: z.array(z.string()),
    revision: z.int(),
  }),
  async run({ facts: inputs, document, content_type, world: name, ...defaults }, { memory, signal }) {
    const { scope, limits, prefixes } = memory;
    const world = scope.changeable(name);
    if ((inputs === undefined) === (document === undefined))
      throw new WorldsError(
        'INVALID_ARGUMENT',
        'remember: pass facts, or an RDF document in their place; for a long text call remember_document.',
      );
    if (inputs?.length === 0)
      throw new WorldsError('INVALID_ARGUMENT', 'facts: the list is empty; pass at least one fact, or do not call.');
    if (inputs && inputs.length > limits.maxFacts) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `facts: ${inputs.length} are more than ${limits.maxFacts} for one call; split them, or call import_document.`,
      );
    }
    const readsTriples = new TripleInputs(memory, world, signal);
    const facts: NewFact[] = [];
    for (const [i, { source, from, until, confidence, ...triple }] of (inputs ?? []).entries()) {
      const context = readContext({ source, from, until, confidence }, defaults, `facts[${i}].`);
      facts.push({ ...(await readsTriples.read(triple, `facts[${i}]`)), ...context });
    }
    if (document !== undefined) {
      const contentType = content_type ?? 'text/turtle';
      const context = readContext({}, defaults, '');
      const declared = contentType === 'text/turtle' ? withPrefixes(document, memory) : document;
      const triples = await documentTriples(declared, { contentType, maxTriples: limits.maxFacts, signal }).catch(
        (error: unknown) => {
          throw documentError(withoutDeclared(error, declared.length - document.length), document, contentType);
        },
      );
      facts.push(...triples.map((triple) => ({ ...triple, ...context })));
    }
    const { labels: insert, created } = readsTriples;
    const others = await otherValues(memory, world, facts, signal);
    const { recorded, known, revision } = await memory.facts(world).remember(facts, { insert, signal });
    const text = new TermText(prefixes, limits);
    const now = memory.now();
    const budget = limits.maxResultTokens - 300;
    const shown = fitItems(
      recorded.slice(0, limits.maxRows).map((fact) => factAsData(fact, text, now)),
      (fact) => factLine(fact),
      Math.floor(budget * 0.5),
    );
    const newEntities = created.map((entity) => ({
      entity: prefixes.shorten(entity.iri),
      name: entity.name,
      similar: entity.similar.map(
        ({ iri, label }) => `${shortEntity(memory, dataFactory.namedNode(iri))} ${JSON.stringify(label.slice(0, 80))}`,
      ),
    }));
    const shownNew = fitItems(
      newEntities,
      ({ entity, name: called, similar }) =>
        `new entity ${entity} (${called})${similar.length === 0 ? '' : `; similar names: ${similar.join(', ')} - if one is the same, forget this and remember it with that IRI`}`,
      Math.floor(budget * 0.25),
    );
    const shownOthers = fitItems(
      others.map((fact) => factLine(factAsData(fact, text, now))),
      (line) => `also stored: ${line}`,
      Math.floor(budget * 0.25),
    );
    const already = known.length;
    const missing = recorded.length - shown.lines.length;
    return {
      text: [
        `Recorded ${countOf(recorded.length, 'fact')}${already > 0 ? `; ${already} were known already` : ''}.`,
        ...shown.lines,
        ...(missing > 0 ? [`(${missing} more are not shown)`] : []),
        ...shownNew.lines,
        ...shownOthers.lines,
      ].join('\n'),
      data: {
        recorded: [...shown.items],
        recordedCount: recorded.length,
        alreadyKnown: already,
        newEntities: [...shownNew.items],
        otherValues: [...shownOthers.items],
        revision,
      },
    };
  },
});

/** Declares the prefixes of the tools in front of a Turtle document; its own declarations win. */
function withPrefixes(document: string, { prefixes }: AgentMemory): string {
  // On one line, so that the lines of errors are those of the document.
  return [...prefixes.prefixes].map(([name, iri]) => `PREFIX ${name}: <${iri}> `).join('') + document;
}

const MAX_OTHERS = 10;
/** Predicates of which several values are usual. */
const MULTIPLE = new Set([RDF_TYPE, ...LABEL_PREDICATES]);

/** Returns values that are stored for the same subjects and predicates, which may contradict. */
async function otherValues(
  memory: AgentMemory,
  world: WorldName,
  facts: readonly NewFact[],
  signal: AbortSignal | undefined,
): Promise<Fact[]> {
  const found: Fact[] = [];
  const seen = new Set<string>();
  const given = new Set(facts.map((fact) => JSON.stringify([fact.subject, fact.predicate, fact.object])));
  for (const { subject, predicate } of facts) {
    const key = `${subject.termType} ${subject.value} ${predicate.value}`;
    if (MULTIPLE.has(predicate.value) || seen.has(key)) continue;
    seen.add(key);
    const pattern = { source: world, subject, predicate, graph: dataFactory.defaultGraph(), signal };
    for await (const quad of memory.engine.quads(pattern)) {
      const object = quad.object as Fact['object'];
      if (given.has(JSON.stringify([subject, predicate, object]))) continue;
      const [fact] = (await memory.facts(world).factsOf({ subject, predicate, object }, { signal })).filter(
        ({ retractedAt }) => !retractedAt,
      );
      if (fact) found.push(fact);
      if (found.length === MAX_OTHERS) return found;
    }
  }
  return found;
}
