// The package has no types of its own; this is what the tests use of it.
declare module 'sparql-http-client' {
  import type { Readable } from 'node:stream';
  import type * as RDF from '@rdfjs/types';

  interface ClientOptions {
    readonly endpointUrl?: string;
    readonly updateUrl?: string;
    readonly storeUrl?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }
  interface QueryOptions {
    readonly operation?: 'get' | 'postUrlencoded' | 'postDirect';
    readonly headers?: Readonly<Record<string, string>>;
    /** Names of the protocol to values. */
    readonly parameters?: Readonly<Record<string, string>>;
  }
  type Row = Readonly<Record<string, RDF.Term>>;

  export class SimpleClient {
    constructor(options: ClientOptions);
    readonly query: Record<
      'select' | 'ask' | 'construct' | 'update',
      (query: string, options?: QueryOptions) => Promise<Response>
    >;
  }
  export class ParsingClient {
    constructor(options: ClientOptions);
    readonly query: {
      select(query: string, options?: QueryOptions): Promise<Row[]>;
      ask(query: string, options?: QueryOptions): Promise<boolean>;
      construct(query: string, options?: QueryOptions): Promise<Iterable<RDF.Quad>>;
      update(query: string, options?: QueryOptions): Promise<void>;
    };
  }
  export class StreamClient {
    constructor(options: ClientOptions);
    readonly query: {
      select(query: string, options?: QueryOptions): Readable;
      ask(query: string, options?: QueryOptions): Promise<boolean>;
      construct(query: string, options?: QueryOptions): Readable;
      update(query: string, options?: QueryOptions): Promise<void>;
    };
    readonly store: {
      get(graph: RDF.Term): Readable;
      put(stream: Readable, options?: { graph?: RDF.Term }): Promise<void>;
      post(stream: Readable, options?: { graph?: RDF.Term }): Promise<void>;
    };
  }
}
