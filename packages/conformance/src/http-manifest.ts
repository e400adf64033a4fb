import type * as RDFJS from '@rdfjs/types';
import { ManifestGraph } from './manifest-graph.ts';
import type { SuiteFiles } from './suite-files.ts';
import { MF, RDFS, UT } from './vocabulary.ts';

const HT = 'http://www.w3.org/2011/http#';
const HTS = 'http://www.w3.org/2011/http-statusCodes#';
const CNT = 'http://www.w3.org/2011/content#';

/** Content of a message (cnt:ContentAsText). */
export interface MessageBody {
  readonly text: string;
  /** `UTF-8`, `UTF-16`. */
  readonly encoding: string;
}

/** What a response has to be; what is absent is not asked for. */
export interface ExpectedResponse {
  /** Status codes (`200`) and classes of them (`2xx`); one has to match. */
  readonly statuses: readonly string[];
  readonly boolean?: boolean;
  /** mf:expectedFormat: `boolean`, `tabular`, `RDF`. */
  readonly format?: string;
  /**
   * The template variable that stands for the value of the Location header in the requests that
   * follow.
   */
  readonly location?: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body?: MessageBody;
}

/** One request of a test (ht:Request). */
export interface TestRequest {
  readonly method: string;
  /** As published: with the prefix that stands for the endpoint. */
  readonly path: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body?: MessageBody;
  readonly expected: ExpectedResponse;
}

/** A test that is requests, to be sent in their order, over a dataset. */
export interface HttpTest {
  readonly requests: readonly TestRequest[];
  readonly graphs: readonly { readonly name: string; readonly file: string }[];
}

const STATUS_NAMES: ReadonlyMap<string, string> = new Map([
  ['OK', '200'],
  ['Created', '201'],
  ['NoContent', '204'],
  ['NotFound', '404'],
]);

/**
 * Reads the messages of one test, which is in one of the given manifests. Throws when none has it.
 */
export async function readHttpTest(test: string, manifests: readonly string[], files: SuiteFiles): Promise<HttpTest> {
  const node = { termType: 'NamedNode', value: test } as RDFJS.NamedNode;
  for (const manifest of manifests) {
    const graph = new ManifestGraph(await files.text(manifest), manifest);
    const action = graph.object(node, `${MF}action`);
    const requests = action && graph.object(action, `${HT}requests`);
    if (requests) {
      return {
        requests: graph.list(requests).map((request) => readRequest(graph, request)),
        graphs: graph.objects(node, `${UT}graphData`).map((data) => ({
          name: required(graph, data, `${RDFS}label`),
          file: required(graph, data, `${UT}graph`),
        })),
      };
    }
  }
  throw new Error(`No manifest of ${manifests.join(', ')} has requests for <${test}>.`);
}

function readRequest(graph: ManifestGraph, request: RDFJS.Term): TestRequest {
  const response = graph.object(request, `${HT}resp`);
  if (!response) throw new Error('A request of the manifest has no expected response.');
  const boolean = graph.object(response, `${MF}expectedBoolean`)?.value;
  return {
    method: required(graph, request, `${HT}methodName`),
    path: required(graph, request, `${HT}absolutePath`),
    headers: readHeaders(graph, request),
    body: readBody(graph, request),
    expected: {
      statuses: graph.objects(response, `${MF}expectedStatus`).map(({ value }) => statusOf(value)),
      boolean: boolean === undefined ? undefined : boolean === 'true',
      format: graph.object(response, `${MF}expectedFormat`)?.value,
      location: graph.object(response, `${MF}expectedLocation`)?.value,
      headers: readHeaders(graph, response),
      body: readBody(graph, response),
    },
  };
}

function readHeaders(graph: ManifestGraph, message: RDFJS.Term): ReadonlyMap<string, string> {
  const headers = graph.list(graph.object(message, `${HT}headers`));
  return new Map(
    headers.map((header) => [
      required(graph, header, `${HT}fieldName`).toLowerCase(),
      required(graph, header, `${HT}fieldValue`),
    ]),
  );
}

function readBody(graph: ManifestGraph, message: RDFJS.Term): MessageBody | undefined {
  const body = graph.object(message, `${HT}body`);
  if (!body) return undefined;
  return { text: required(graph, body, `${CNT}chars`), encoding: required(graph, body, `${CNT}characterEncoding`) };
}

function statusOf(iri: string): string {
  const name = iri.slice(HTS.length);
  const status = /^StatusCode(\dxx)$/.exec(name)?.[1] ?? STATUS_NAMES.get(name);
  if (!iri.startsWith(HTS) || !status) throw new Error(`<${iri}> is no status that is known; add it to STATUS_NAMES.`);
  return status;
}

function required(graph: ManifestGraph, node: RDFJS.Term, predicate: string): string {
  const value = graph.object(node, predicate)?.value;
  if (value === undefined) throw new Error(`The manifest has no <${predicate}> at ${node.value}.`);
  return value;
}
