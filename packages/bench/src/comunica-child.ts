import { parentPort } from 'node:worker_threads';
import { QueryEngine } from '@comunica/query-sparql-rdfjs';
import { Store, StreamParser, Writer } from 'n3';
import { byteChunks } from './byte-chunks.ts';
import { collectGarbageAsUsual } from './garbage-collection.ts';
import type { Answer } from './sparql/answer.ts';
import type { ComunicaReply, ComunicaRequest } from './sparql/comunica-store.ts';
import { countLines } from './sparql/count-lines.ts';

/** The worker thread of `ComunicaStore`: Comunica over n3's store. */
const store = new Store();
const engine = new QueryEngine();
const sources: [Store] = [store];
let dumped = '';

type Handlers = {
  readonly [Type in ComunicaRequest['type']]: (
    request: Extract<ComunicaRequest, { type: Type }>,
  ) => Promise<Answer | number>;
};

const HANDLERS: Handlers = {
  async load({ bytes, contentType }) {
    const parser = new StreamParser({ format: contentType });
    const imported = new Promise<void>((resolve, reject) => {
      store.import(parser).on('end', resolve);
      parser.on('error', reject);
    });
    for (const chunk of byteChunks(bytes)) parser.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    parser.end();
    await imported;
    return store.size;
  },
  query: ({ text }) => read(text),
  async update({ text }) {
    await engine.queryVoid(text, { sources, destination: store });
    return store.size;
  },
  async dump() {
    dumped = await new Promise<string>((resolve, reject) => {
      const writer = new Writer({ format: 'N-Quads' });
      for (const quad of store) writer.addQuad(quad);
      writer.end((error, text) => (error ? reject(error) : resolve(text)));
    });
    return dumped.length;
  },
  countDumped: async () => countLines([Buffer.from(dumped)]),
  count: async () => store.size,
  async clean() {
    dumped = '';
    await collectGarbageAsUsual();
    return 0;
  },
};

async function read(text: string): Promise<Answer> {
  // The result of CONSTRUCT is a graph and therefore a set (SPARQL 1.1 section 16.2); by default
  // the engine leaves duplicates in.
  const result = await engine.query(text, { sources, distinctConstruct: true });
  switch (result.resultType) {
    case 'boolean':
      return { rows: 1, chars: Number(await result.execute()) };
    case 'bindings':
      return readStream(await result.execute(), (bindings) => {
        let chars = 0;
        for (const term of bindings.values()) chars += term.value.length;
        return chars;
      });
    case 'quads':
      return readStream(await result.execute(), ({ subject, object }) => subject.value.length + object.value.length);
    case 'void':
      throw new Error('An update is no query.');
  }
}

/** The common interface of Comunica's streams. */
interface ItemStream<Item> {
  on(event: 'data', listener: (item: Item) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

function readStream<Item>(stream: ItemStream<Item>, charsOf: (item: Item) => number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let rows = 0;
    let chars = 0;
    stream.on('data', (item) => {
      rows++;
      chars += charsOf(item);
    });
    stream.on('end', () => resolve({ rows, chars }));
    stream.on('error', reject);
  });
}

async function handle<Request extends ComunicaRequest>(request: Request): Promise<ComunicaReply> {
  const handler = HANDLERS[request.type] as (request: Request) => Promise<Answer | number>;
  try {
    return { result: await handler(request) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort!.on('message', async (request: ComunicaRequest) => parentPort!.postMessage(await handle(request)));
