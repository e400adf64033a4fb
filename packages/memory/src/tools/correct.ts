import { WorldsError } from '@rdf-worlds/core';
import { z } from 'zod';
import { readContext } from '../context-input.ts';
import { selectorOf } from '../fact-input.ts';
import { factAsData, factData, factLine } from '../fact-text.ts';
import { fitItems } from '../fit-items.ts';
import { readTime, timeInput } from '../term-input.ts';
import { TermText } from '../term-text.ts';
import { DESTROYS, defineTool } from '../tool.ts';
import { TripleInputs, tripleFields } from '../triple-input.ts';
import { worldInput } from '../world-input.ts';

const { subject, predicate, object, value, datatype, lang } = tripleFields;
const oldFact = z.strictObject({
  fact: z.string().max(2_000).optional().describe('Id such as fact:abc, as look shows it.'),
  subject: subject.optional(),
  predicate: predicate.optional(),
  ...{ object, value, datatype, lang },
});

export const correct = defineTool({
  name: 'correct',
  title: 'Correct a fact',
  description:
    'Replaces the object of a fact. kind "changed": it was true until since, and the new value holds from then. kind "wrong": it was never true. The old fact stays in the history.',
  annotations: DESTROYS,
  example: {
    old: { subject: 'Ada', predicate: 'works at', object: 'Acme' },
    kind: 'changed',
    object: 'Initech',
    since: '2026-03-31',
  },
  input: z.strictObject({
    old: oldFact.describe('The fact: its id, or subject, predicate and object or value.'),
    kind: z.enum(['changed', 'wrong']),
    ...{ object, value, datatype, lang },
    since: timeInput.optional().describe('For changed. Default: now.'),
    reason: z.string().max(2_000).optional(),
    source: z.string().max(2_000).optional().describe('Where the new value comes from.'),
    confidence: z.number().min(0).max(1).optional().describe('0 to 1.'),
    world: worldInput,
  }),
  output: z.object({ recorded: z.array(factData), retracted: z.array(factData), revision: z.int() }),
  async run({ old: given, kind, since, reason, source, confidence, world: name, ...replacement }, { memory, signal }) {
    const { scope, limits, prefixes } = memory;
    const world = scope.changeable(name);
    const selector = await selectorOf(memory, world, given, 'old', signal);
    const inputs = new TripleInputs(memory, world, signal);
    const facts = memory.facts(world);
    const old = 'id' in selector ? (await facts.find(selector.id, { signal }))[0] : selector.triple;
    if (!old)
      throw new WorldsError(
        'NOT_FOUND',
        'old: there is no such fact; look at the entity to see its facts with their ids.',
      );
    const changed = await facts.correct(
      selector,
      {
        ...readContext({ source, confidence }, {}, ''),
        object: await inputs.object(replacement, old.predicate, (field) => field),
        kind,
        since: since === undefined ? undefined : readTime(since, 'since'),
        reason,
      },
      { insert: inputs.labels, signal },
    );
    const text = new TermText(prefixes, limits);
    const now = memory.now();
    const half = Math.floor((limits.maxResultTokens - 100) / 2);
    const retracted = fitItems(
      changed.retracted.map((fact) => factAsData(fact, text, now)),
      (fact) => `retracted: ${factLine(fact)}`,
      half,
    );
    const recorded = fitItems(
      changed.recorded.map((fact) => factAsData(fact, text, now)),
      (fact) => `recorded: ${factLine(fact)}`,
      half,
    );
    return {
      text: [...retracted.lines, ...recorded.lines].join('\n'),
      data: { recorded: [...recorded.items], retracted: [...retracted.items], revision: changed.revision },
    };
  },
});
