import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, DEFAULT_LIMITS, staticTokens } from '@rdf-worlds/http';
import { expect, it } from 'vitest';
import { ROOT } from './source-imports.ts';

const text = readFileSync(join(ROOT, 'docs/guides/security.md'), 'utf8');

it('docs/guides/security.md lists every limit with its default, in order', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)];
  expect(rows.map((row) => [row[1], Number(row[2]!.replaceAll(',', ''))])).toEqual(Object.entries(DEFAULT_LIMITS));
});

it('docs/guides/security.md quotes every refusal as it is said, for worlds that exist and worlds that do not', async () => {
  const quoted = [...text.matchAll(/^- `(You may not [^`]+)`$/gm)].map((match) => match[1]);
  const said: string[][] = [];
  for (const exists of [true, false]) {
    await using engine = await WorldsEngine.open({ textIndex: null });
    if (exists) await engine.createWorld({ slug: 'plans', namespace: 'acme' });
    const handler = createWorldsHandler(engine, {
      authenticate: staticTokens([{ token: 'a-token-of-bolts', namespace: 'bolt' }]),
    });
    const refusal = async (method: string, path: string) => {
      const headers = { authorization: 'Bearer a-token-of-bolts' };
      const answer = await handler(new Request(`http://localhost/namespaces/acme${path}`, { method, headers }));
      expect(answer.status).toBe(403);
      return ((await answer.json()) as { error: { message: string } }).error.message;
    };
    said.push([
      await refusal('GET', '/worlds/plans'),
      await refusal('DELETE', '/worlds/plans'),
      await refusal('GET', '/worlds'),
    ]);
  }
  expect(quoted).toHaveLength(3);
  expect(said).toEqual([quoted, quoted]);
});
