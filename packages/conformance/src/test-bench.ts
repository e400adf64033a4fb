import { dataFactory, WorldsError, type WorldsErrorCode } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import type { EngineUnderTest } from './engine-under-test.ts';
import type { ManifestInput } from './manifest-entry.ts';
import { Mismatch } from './mismatch.ts';
import type { SuiteFiles } from './suite-files.ts';

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['ttl', 'text/turtle'],
  ['trig', 'application/trig'],
  ['nt', 'application/n-triples'],
  ['nq', 'application/n-quads'],
  ['rdf', 'application/rdf+xml'],
  ['jsonld', 'application/ld+json'],
]);

let worldCounter = 0;

/** How a file of a suite is imported. */
type ImportSettings = Partial<Pick<Parameters<EngineUnderTest['import']>[0], 'baseIri' | 'context' | 'rdfDirection'>>;

/**
 * What one test works with: the engine, the suites' files, and worlds of its own that go away with
 * it.
 */
export class TestBench {
  readonly engine: EngineUnderTest;
  readonly files: SuiteFiles;
  readonly #worlds: string[] = [];

  constructor(engine: EngineUnderTest, files: SuiteFiles) {
    this.engine = engine;
    this.files = files;
  }

  /** A new empty world. */
  async world(): Promise<string> {
    const slug = `w3c-${++worldCounter}`;
    await this.engine.createWorld({ slug });
    this.#worlds.push(slug);
    return slug;
  }

  /**
   * Imports a file of the suites into a world; its extension says its media type, its published IRI
   * is its base unless given.
   */
  async import(world: string, file: string, { baseIri = file, ...options }: ImportSettings = {}): Promise<void> {
    const extension = file.slice(file.lastIndexOf('.') + 1);
    const contentType = MEDIA_TYPES.get(extension);
    if (!contentType) throw new Error(`No media type is known for <${file}>; add its extension to MEDIA_TYPES.`);
    await this.engine.import({ source: world, data: await this.files.bytes(file), contentType, baseIri, ...options });
  }

  /**
   * A new world with the dataset of an input: its files, and each graph's file under the graph's
   * name.
   */
  async load({ data, graphs }: Pick<ManifestInput, 'data' | 'graphs'>): Promise<string> {
    const world = await this.world();
    for (const file of data) await this.import(world, file);
    for (const { name, file } of graphs) {
      // Turtle and RDF/XML have no graph names: the engine reads the file into a world of its own,
      // and the quads move over.
      const scratch = await this.world();
      await this.import(scratch, file);
      const graph = dataFactory.namedNode(name);
      const insert = (await this.quads(scratch)).map(({ subject, predicate, object }) =>
        dataFactory.quad(subject, predicate, object, graph),
      );
      await this.engine.write({ source: world, insert });
    }
    return world;
  }

  async quads(world: string): Promise<RDF.Quad[]> {
    const quads: RDF.Quad[] = [];
    for await (const quad of this.engine.quads({ source: world })) quads.push(quad);
    return quads;
  }

  /** Deletes the worlds of this test. */
  async dispose(): Promise<void> {
    for (const source of this.#worlds.splice(0)) await this.engine.deleteWorld({ source });
  }
}

/**
 * Passes when the promise rejects with the code that says so: any other failure is not the refusal
 * that a negative test asks for.
 */
export async function expectRejection(promise: Promise<unknown>, code: WorldsErrorCode): Promise<void> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof WorldsError && error.code === code) return;
    const got = error instanceof WorldsError ? `${error.code}: ${error.message}` : String(error);
    throw new Mismatch(`refused, but not as ${code}: ${got}`, { cause: error });
  }
  throw new Mismatch('accepted, and has to be refused');
}
