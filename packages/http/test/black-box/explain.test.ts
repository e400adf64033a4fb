import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import type { Caller } from './callers.ts';
import { type Answered, ask } from './exchange.ts';
import { type RunningServer, startServer } from './running-server.ts';
import type { WireJson } from './wire-json.ts';

let server: RunningServer;
beforeEach(async () => {
  server = await startServer();
  for (const slug of ['ada', 'bob']) await server.engine.createWorld({ slug, namespace: 'alpha' });
  await server.engine.import({ source: 'alpha/ada', data: '<urn:a> <urn:p> "1" .\n<urn:b> <urn:p> "2" .\n' });
});
afterEach(() => server.close());

function explain(body: WireJson, as: Caller = 'alice', path = '/worlds/ada/sparql'): Promise<Answered> {
  return ask(server, { method: 'POST', path, as, json: body });
}
const QUERY = 'SELECT * { ?s <urn:p> ?o }';

describe('"explain" in the body of POST .../sparql', () => {
  it('returns the plan with estimates; with "analyze" also the measurements of a run', async () => {
    const planned = await explain({ query: QUERY, explain: 'plan' });
    expect([planned.status, planned.mediaType]).toEqual([200, 'application/json']);
    expect(planned.json()).toMatchObject({ form: 'select', text: expect.stringContaining('[2 rows]') });
    expect(planned.json().plan.actualRows).toBeUndefined();
    const analyzed = (await explain({ query: QUERY, explain: 'analyze' })).json();
    expect(analyzed.plan.actualRows).toBe(2);
    // Over a collection, too.
    expect((await explain({ query: QUERY, explain: 'plan' }, 'alice', '/worlds/sparql')).status).toBe(200);
  });

  it('changes nothing', async () => {
    const query = 'DELETE WHERE { ?s ?p ?o }';
    expect((await explain({ query, explain: 'plan' })).json()).toMatchObject({ form: 'update' });
    expectError(await explain({ query, explain: 'analyze' }), 400);
    expect(await server.engine.ask({ query: 'ASK { ?s ?p ?o }', sources: ['alpha/ada'] })).toBe(true);
  });

  it('rejects a text that is not a query, and unknown fields', async () => {
    expect(expectError(await explain({ query: 'SELECT', explain: 'plan' }), 400)).toContain('line 1');
    expectError(await explain({ explain: 'plan' }), 400);
    expect(expectError(await explain({ query: QUERY, explain: 'all' }), 400)).toContain('explain');
  });

  it('requires read permission for the whole namespace, because a plan shows its counts', async () => {
    await server.engine.createWorld({ slug: 'shared', namespace: 'alpha' });
    const shared = { query: QUERY };
    const AT = '/namespaces/alpha/worlds/shared/sparql';
    expect((await explain(shared, 'carol', AT)).status).toBe(200);
    const refused = await explain({ ...shared, explain: 'plan' }, 'carol', AT);
    expect(expectError(refused, 403)).toContain('the whole namespace');
    expect((await explain({ ...shared, explain: 'plan' }, 'rita', AT)).status).toBe(200);
    expectError(await explain({ query: QUERY, explain: 'plan', sources: ['beta/ada'] }), 403);
  });
});
