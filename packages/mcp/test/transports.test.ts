import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { describe, expect, it } from 'vitest';
import { callTool, textOf } from './a-client.ts';
import { aCommandClient, aFolder, aServedCommand } from './a-command.ts';
import { ENDLESS, FOREIGN, HARMLESS, type HostileCall, REFUSED, SECRET } from './hostile-calls.ts';

/** A server in a process of its own, over a directory, and a client of the SDK. */
interface Transport {
  readonly client: Client;
  /** Ends the process, so that the directory can be read. */
  close(): Promise<void>;
}

const TOKEN = 'token-of-the-agent-0123456789';

/** Ways to reach the world `open` of a directory, and nothing else of it. */
const RESTRICTED: Readonly<Record<string, (data: string) => Promise<Transport>>> = {
  async stdio(data) {
    const { client } = await aCommandClient(['--data', data, '--namespace', 'default', '--world', 'open']);
    return { client, close: () => client.close() };
  },
  async 'Streamable HTTP'(data) {
    const grants = [{ namespace: 'default', world: 'open', read: true, write: true }];
    return overHttp(['--data', data, '--platform-namespace', 'default'], { token: TOKEN, grants });
  },
};

/** Ways to serve a new directory without restrictions. */
const OPEN: Readonly<Record<string, (compat: readonly string[]) => Promise<Transport>>> = {
  async stdio(compat) {
    const { client } = await aCommandClient(['--data', aFolder(), ...compat]);
    return { client, close: () => client.close() };
  },
  'Streamable HTTP': (compat) => overHttp(['--data', aFolder(), ...compat], { token: TOKEN, namespace: 'acme' }),
};

async function overHttp(args: readonly string[], token: object): Promise<Transport> {
  const server = await aServedCommand(args, [token]);
  const client = await server.connect(TOKEN);
  return {
    client,
    async close() {
      await client.close();
      expect(await server.stop()).toBe(0);
    },
  };
}

type ToolCall = readonly [name: string, input: object, answer: RegExp];

/** Each tool, on the world `team`, in an order in which each finds what it needs. */
const TOOL_CALLS: readonly ToolCall[] = [
  ['create_world', { world: 'team' }, /^Created the world team/],
  ['list_worlds', {}, /^(?:memory\n)?team$/],
  [
    'remember',
    { world: 'team', facts: [{ subject: 'Ada', predicate: 'employer', object: 'Acme', from: '2020' }] },
    /^Recorded 1 fact/,
  ],
  ['find_entity', { name: 'Adda' }, /^e:Ada "Ada" \(similar name/],
  ['look', { world: 'team', entity: 'Ada' }, /v:employer e:Acme/],
  ['describe_world', { world: 'team' }, /v:employer 1/],
  ['query', { query: 'ASK { e:Ada v:employer e:Acme }' }, /^true$/],
  [
    'correct',
    {
      world: 'team',
      old: { subject: 'Ada', predicate: 'employer', object: 'Acme' },
      kind: 'changed',
      object: 'Initech',
      since: '2025',
    },
    /recorded: e:Ada v:employer e:Initech/,
  ],
  ['history', { world: 'team', entity: 'Ada', predicate: 'employer' }, /RETRACTED/],
  ['state_at', { world: 'team', entity: 'Ada', valid_at: '2024' }, /v:employer e:Acme/],
  ['import_document', { world: 'team', document: '<urn:a> <urn:b> 1 .' }, /^Stored 1 new quads/],
  ['remember_document', { world: 'team', document: 'Minutes', text: 'The crane has a crack.' }, /./],
  ['search', { query: 'crack in the crane' }, /^e:Minutes/],
  ['forget', { world: 'team', entity: 'Ada', erase: true }, /^Erased /],
];

const ada = { name: 'Ada', entityType: 'person', observations: ['Likes tea'] };
const knows = { from: 'Ada', to: 'Mary', relationType: 'knows' };

/** Each tool of the reference memory server. */
const REFERENCE_CALLS: readonly ToolCall[] = [
  ['create_entities', { entities: [ada, { ...ada, name: 'Mary' }] }, /"Mary"/],
  ['create_relations', { relations: [knows] }, /"knows"/],
  ['add_observations', { observations: [{ entityName: 'Ada', contents: ['Plays chess'] }] }, /"Plays chess"/],
  ['search_nodes', { query: 'chess' }, /"Plays chess"/],
  ['open_nodes', { names: ['Ada'] }, /"Likes tea"/],
  ['delete_observations', { deletions: [{ entityName: 'Ada', observations: ['Likes tea'] }] }, /success/],
  ['delete_relations', { relations: [knows] }, /success/],
  ['delete_entities', { entityNames: ['Mary'] }, /success/],
  ['read_graph', {}, /^\{\s*"entities": \[\s*\{[^}]*"Ada"[^}]*"Plays chess"\s*\]\s*\}\s*\],\s*"relations": \[\]\s*\}$/],
];

describe.each(Object.keys(OPEN))('over %s', (name) => {
  it.each([
    ['every tool', [], TOOL_CALLS],
    ['every tool of the reference memory server', ['--compat', 'memory'], REFERENCE_CALLS],
  ] as const)('answers %s', async (_, args, calls) => {
    const { client, close } = await OPEN[name]!(args);
    const { tools } = await client.listTools();
    expect(calls.map(([tool]) => tool).sort()).toEqual(tools.map((tool) => tool.name).sort());
    for (const [tool, input, answer] of calls) {
      // The client checks structured content against the schema that the server declares.
      const result = await callTool(client, tool, input);
      expect([tool, result.isError, textOf(result)]).toEqual([tool, undefined, expect.stringMatching(answer)]);
    }
    await close();
  });

  it('withstands hostile calls', async () => {
    const data = await aHostileDirectory();
    const before = await contentsOf(data);
    const { client, close } = await RESTRICTED[name]!(data);
    // A server with a single world offers neither to list worlds nor to create one.
    const offered = new Set((await client.listTools()).tools.map((tool) => tool.name));
    const sample = (calls: readonly HostileCall[], count: number) =>
      atEqualDistances(
        calls.filter(([tool, input]) => offered.has(tool) && isQuick(input)),
        count,
      );
    for (const [tool, input] of sample(FOREIGN, 20)) {
      const result = await callTool(client, tool, input as object);
      expect([tool, input, result.isError, textOf(result)]).toEqual([
        tool,
        input,
        true,
        expect.stringMatching(/^(?:PERMISSION_DENIED|INVALID_ARGUMENT): /),
      ]);
      expect(JSON.stringify(result)).not.toMatch(/urn:kingfisher|"kingfisher/);
    }
    for (const [tool, input] of sample(REFUSED, 30)) {
      const result = await callTool(client, tool, input as object);
      const text = textOf(result);
      expect([tool, input, result.isError, text]).toEqual([
        tool,
        input,
        true,
        expect.stringMatching(
          /^(?:INVALID_ARGUMENT|INVALID_RDF|INVALID_SPARQL|LIMIT_EXCEEDED|NOT_FOUND|UNSUPPORTED): /,
        ),
      ]);
      expect(text).not.toMatch(/\n {4}at |node_modules|\/packages\//);
    }
    await close();
    expect(await contentsOf(data)).toEqual(before);

    const again = await RESTRICTED[name]!(data);
    for (const [tool, input] of sample(HARMLESS, 12)) {
      const result = await callTool(again.client, tool, input as object);
      expect([tool, input, result.isError]).toEqual([tool, input, undefined]);
      expect(JSON.stringify(result).replaceAll(`called \\"${SECRET}\\"`, '')).not.toContain(SECRET);
    }
    expect(textOf(await callTool(again.client, 'look', { world: 'open', entity: 'Ada' }))).toContain('"nothing"');
    await again.close();
    const after = await contentsOf(data);
    expect(after['open']).toEqual(expect.arrayContaining([...before['open']!]));
    expect({ ...after, open: [] }).toEqual({ ...before, open: [] });
  });
});

/** Whether a call takes neither minutes nor more bytes than a body may have. */
function isQuick(input: unknown): boolean {
  const text = JSON.stringify(input);
  return text.length < 200_000 && !text.includes(JSON.stringify(ENDLESS).slice(1, -1));
}

function atEqualDistances(calls: readonly HostileCall[], count: number): readonly HostileCall[] {
  return Array.from({ length: count }, (_, i) => calls[Math.floor((i * calls.length) / count)]!);
}

const PLACES = ['open', 'secret', 'other/secret'];

async function aHostileDirectory(): Promise<string> {
  const data = aFolder();
  const engine = await WorldsEngine.open({ storage: fileStorage({ path: data }) });
  for (const source of PLACES) {
    const [slug, namespace] = source.split('/').reverse();
    await engine.createWorld({ slug: slug!, namespace });
    const turtle =
      source === 'open'
        ? '<urn:rdf-worlds:entity:Ada> <http://www.w3.org/2000/01/rdf-schema#label> "Ada" ; <urn:knows> "nothing" .'
        : `<urn:rdf-worlds:entity:It> <http://www.w3.org/2000/01/rdf-schema#label> "${SECRET}" . <urn:${SECRET}> a <urn:${SECRET}> .`;
    await engine.import({ source, contentType: 'text/turtle', data: turtle });
  }
  await engine.close();
  return data;
}

/** The lines of each world of a directory that no process has open. */
async function contentsOf(data: string): Promise<Record<string, readonly string[]>> {
  const engine = await WorldsEngine.open({ storage: fileStorage({ path: data, readOnly: true }) });
  const contents: Record<string, readonly string[]> = {};
  for (const source of PLACES) {
    const bytes = await engine.export({ source, contentType: 'application/n-quads' });
    contents[source] = new TextDecoder().decode(bytes).trim().split('\n').sort();
  }
  expect(await engine.listNamespaces()).toEqual(['default', 'other']);
  await engine.close();
  return contents;
}
