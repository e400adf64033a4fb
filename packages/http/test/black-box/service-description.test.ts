import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from './exchange.ts';
import { FAMILIES } from './operations.ts';
import { PUBLIC_URL, type RunningServer, startServer } from './running-server.ts';

// What a description must be, the suite of the W3C checks in the conformance package; here it is
// whom it is for.

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
  for (const [namespace, slug] of [
    ['alpha', 'ada'],
    ['alpha', 'shared'],
    ['beta', 'vault'],
  ]) {
    await server.engine.createWorld({ namespace, slug });
    const source = `${namespace}/${slug}`;
    await server.engine.import({ source, data: `<urn:s> <urn:p> "o" <urn:graph:${slug}> .\n` });
  }
});
afterAll(() => server.close());

it.each(FAMILIES)('lists exactly the graphs that the caller may read: $name', async (family) => {
  for (const [path, graphs] of [
    [`${family.worlds('alpha')}/sparql`, ['ada', 'shared']],
    [`${family.worlds('alpha')}/ada/sparql`, ['ada']],
  ] as const) {
    const { text } = await ask(server, { method: 'POST', path, as: 'alice', json: {} });
    const named = ['ada', 'shared', 'vault'].filter((slug) => text.includes(`urn:graph:${slug}`));
    expect(named).toEqual(graphs);
    expect(text).toContain(`${PUBLIC_URL}/`);
  }
  const path = '/namespaces/alpha/worlds/sparql';
  const { text } = await ask(server, { method: 'POST', path, as: 'carol', json: {} });
  expect(text).not.toContain('urn:graph:ada');
});
