import { describe, expect, it } from 'vitest';
import { WorldsEngine } from '../../../src/index.ts';
import { requestLimits } from '../../../src/model/request-limits.ts';
import { nativeEngine } from '../../../src/sparql/native-engine.ts';
import { Scope, SlotCounter } from '../../../src/sparql/plan/scope.ts';
import { WaitingConditions } from '../../../src/sparql/plan/waiting-conditions.ts';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';

const exceeded = (name: string) =>
  expect.objectContaining({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining(`${name} = `) });
const long = (length: number) => `urn:${'x'.repeat(length)}`;

describe('the limits of a SPARQL text', () => {
  it.each([
    ['maxIriLength', `ASK { <${long(140_000)}> ?p ?o }`],
    ['maxIriLength', `PREFIX p: <${long(131_070)}> ASK { p:abcdef ?p ?o }`],
    ['maxExpansionBytes', `PREFIX p: <${long(10_000)}> INSERT DATA { ${'p:a p:b p:c .'.repeat(1000)} }`],
    ['maxExpansionBytes', `PREFIX p: <${long(2_000)}> INSERT DATA { ${'p:a p:b p:c .'.repeat(5000)} }`],
    ['maxExpansionBytes', `BASE <http://e/${'x/'.repeat(10_000)}> INSERT DATA { ${'<a> <b> <c> .'.repeat(1000)} }`],
    ['maxExpansionBytes', `BASE <http://e/${'x/'.repeat(10_000)}> ASK { ${'</a> </b> </c> .'.repeat(1000)} }`],
    ['maxOperations', 'CLEAR ALL;'.repeat(100_001)],
    ['maxPatterns', `ASK { ${'?s ?p ?o .'.repeat(10_001)} }`],
    ['maxPatterns', `ASK { ?s ?p (${'1 '.repeat(10_001)}) }`],
    ['maxPatterns', `ASK { ?s ${'<urn:p>/'.repeat(10_001)}<urn:p> ?o }`],
    ['maxPatterns', `ASK { ${'{} UNION '.repeat(10_001)} {} }`],
    ['maxPatterns', `DELETE WHERE { ${'?s ?p ?o .'.repeat(10_001)} }`],
    ['maxExpressions', `ASK { FILTER(?x IN (${'1,'.repeat(100_001)} 1)) }`],
    ['maxKeys', `ASK {} ORDER BY ${'?x '.repeat(1001)}`],
    ['maxKeys', `SELECT (1 AS ?a) {} GROUP BY ${Array.from({ length: 1001 }, (_, i) => `?x${i}`).join(' ')}`],
    ['maxExpressions', `ASK {} HAVING ${'(?x)'.repeat(100_001)}`],
    ['maxNesting', `ASK { ${'{'.repeat(501)}${'}'.repeat(501)} }`],
    ['maxNesting', `ASK {} GROUP BY ${Array.from({ length: 501 }, (_, i) => `(1 AS ?k${i})`).join(' ')}`],
  ])('%s: %.50s', (name, text) => {
    expect(() => prepareOperation(text)).toThrow(exceeded(name));
  });

  it('are counted for each operation separately', () => {
    const limits = requestLimits({ maxPatterns: 3, maxExpressions: 3 });
    const operation = 'DELETE WHERE { ?s ?p ?o . ?o ?p ?s } ; INSERT {} WHERE { FILTER(?x > 1) }';
    expect(() => prepareOperation(`${operation} ; ${operation}`, { limits })).not.toThrow();
  });

  it('are those of the engine, also for a text that another one has read', async () => {
    const sparql = nativeEngine();
    const text = 'ASK { ?s ?p ?o . ?o ?p ?s . ?x ?y ?z }';
    for (const [maxPatterns, refuses] of [
      [10, false],
      [2, true],
      [10, false],
    ] as const) {
      await using engine = await WorldsEngine.open({ sparql, limits: { maxPatterns } });
      await engine.createWorld({ slug: 'w' });
      for (let time = 0; time < 3; time++) {
        const asking = engine.ask({ sources: ['w'], query: text });
        if (refuses) await expect(asking).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
        else expect(await asking).toBe(false);
      }
    }
  });

  it('let short names stand for long IRIs in a text of many triples', () => {
    const prefix = `PREFIX p: <http://example.org/${'path/'.repeat(10)}>`;
    expect(() => prepareOperation(`${prefix} INSERT DATA { ${'p:a p:b p:c .'.repeat(50_000)} }`)).not.toThrow();
  });
});

describe('the conditions of a group', () => {
  it('look at their own variables, each a few times, whatever else is joined', () => {
    for (const n of [100, 400, 1600]) {
      const scope = new Scope(new SlotCounter());
      const units = Array.from({ length: n }, (_, i) => ({ slots: [scope.slot(`v${i}`), scope.slot(`v${i + 1}`)] }));
      const conditions = Array.from({ length: n }, (_, i) => ({
        type: 'call' as const,
        function: '=',
        arguments: [`v${i}`, `v${(i * 7) % n}`].map((name) => ({ type: 'variable' as const, name })),
      }));
      let asked = 0;
      const bound = new Set<number>();
      const certain = {
        has: (slot: number) => {
          asked++;
          return bound.has(slot);
        },
      };
      const waiting = new WaitingConditions(conditions, scope, units as never);
      let given = 0;
      for (const unit of units) {
        for (const slot of unit.slots) bound.add(slot);
        given += waiting.readyAfter(unit as never, { certain } as never).length;
      }
      expect(given).toBe(n);
      expect(waiting.rest()).toEqual([]);
      expect(asked).toBeLessThan(10 * n);
    }
  });
});
