import { WorldsError } from '@rdf-worlds/core';
import { z } from 'zod';
import { countOf } from '../count-of.ts';
import { requireEntity } from '../entity-input.ts';
import { selectorOf } from '../fact-input.ts';
import { factAsData, factData, factLine } from '../fact-text.ts';
import { fitItems } from '../fit-items.ts';
import { TermText } from '../term-text.ts';
import { DESTROYS, defineTool } from '../tool.ts';
import { tripleFields } from '../triple-input.ts';
import type { FactSelector } from '../world-facts.ts';
import { worldInput } from '../world-input.ts';

const { subject, predicate, object, value, datatype, lang } = tripleFields;

export const forget = defineTool({
  name: 'forget',
  title: 'Forget facts',
  description:
    'Retracts facts: they no longer hold, and stay in the history. Pass facts, or an entity to retract all about it; a document is deleted with its passages. With erase, the history is deleted too; only if the person asks for that.',
  annotations: DESTROYS,
  example: { facts: [{ subject: 'Ada', predicate: 'note', value: 'likes tea' }] },
  input: z.strictObject({
    facts: z
      .array(
        z.strictObject({
          fact: z.string().max(2_000).optional().describe('Id such as fact:abc, as look shows it.'),
          subject: subject.optional(),
          predicate: predicate.optional(),
          ...{ object, value, datatype, lang },
        }),
      )
      .optional(),
    entity: z.string().min(1).max(2_000).optional().describe('IRI, or an exact name.'),
    reason: z.string().max(2_000).optional(),
    erase: z.boolean().optional().describe('Default: false.'),
    world: worldInput,
  }),
  output: z.object({
    retracted: z.array(factData),
    retractedCount: z.int(),
    removedPassages: z.int(),
    revision: z.int(),
  }),
  async run({ facts: inputs, entity, reason, erase = false, world: name }, { memory, signal }) {
    const { scope, limits, prefixes } = memory;
    const world = scope.changeable(name);
    if ((inputs === undefined) === (entity === undefined))
      throw new WorldsError('INVALID_ARGUMENT', 'forget: pass facts, or entity for everything about it.');
    if (inputs && inputs.length > limits.maxFacts)
      throw new WorldsError('LIMIT_EXCEEDED', `facts: pass at most ${limits.maxFacts} in one call.`);
    const selectors: FactSelector[] = [];
    for (const [i, input] of (inputs ?? []).entries())
      selectors.push(await selectorOf(memory, world, input, `facts[${i}]`, signal));
    const about = entity === undefined ? undefined : await requireEntity(memory, world, entity, 'entity', signal);
    if (about) selectors.push({ entity: about });
    const facts = memory.facts(world);
    const { retracted, ...changed } = erase
      ? await facts.erase(selectors, { signal })
      : await facts.forget(selectors, { reason, signal });
    // A commit of its own, after the facts: a call that fails in between may be repeated.
    const removal =
      about?.termType === 'NamedNode' ? await memory.documents(world).remove(about, { signal }) : undefined;
    const removedPassages = removal?.removed ?? 0;
    const revision = Math.max(changed.revision, removal?.revision ?? 0);
    const text = new TermText(prefixes, limits);
    const now = memory.now();
    const shown = fitItems(
      retracted.slice(0, limits.maxRows).map((fact) => factAsData(fact, text, now)),
      (fact) => factLine(fact),
      limits.maxResultTokens - 200,
    );
    const what = erase ? 'Erased' : 'Retracted';
    const missing = retracted.length - shown.lines.length;
    const none =
      'Nothing was retracted: no such fact is believed. Call look to see the facts, or history for retracted ones.';
    return {
      text: [
        ...(removedPassages > 0 ? [`Deleted the document with ${countOf(removedPassages, 'passage')}.`] : []),
        ...(retracted.length > 0
          ? [`${what} ${countOf(retracted.length, 'fact')}.`]
          : removedPassages > 0
            ? []
            : [none]),
        ...shown.lines,
        ...(missing > 0 ? [`(${missing} more are not shown)`] : []),
      ].join('\n'),
      data: { retracted: [...shown.items], retractedCount: retracted.length, removedPassages, revision },
    };
  },
});
