import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { turns } from '@rdf-worlds/core/internal';
import { requireKnownFields, requireOptions, throwIfAborted } from '@rdf-worlds/core/plugin';
import type { MountContext, ServiceMount } from '@rdf-worlds/http';
import { type McpServerOptions, OPTION_FIELDS, serverFor } from './create-mcp-server.ts';

/** Options of `mcpMount`. Unknown ones throw `INVALID_ARGUMENT`. */
export interface McpMountOptions extends Omit<McpServerOptions, 'principal' | 'namespace'> {
  /** Default: `/mcp`. */
  readonly path?: string | undefined;
  /**
   * Whether the first call of a caller creates the world of `defaultWorld` in its namespace, if it
   * is missing and the caller may write it. Default: false.
   */
  readonly createDefaultWorld?: boolean | undefined;
}

/** Messages of one request of a client, at most. */
const MAX_MESSAGES = 50;

/**
 * Values of one request. The longest call, of 500 facts, has 6,000, and the SDK parses and
 * validates them several times in one piece.
 */
const MAX_VALUES = 10_000;

const SESSION_HEADER = 'mcp-session-id';

/**
 * Returns MCP over Streamable HTTP as a mount of `@rdf-worlds/http`: pass it in `mounts` of
 * `createWorldsHandler`. Callers authenticate with the tokens of the service, and their grants
 * decide which worlds each call reaches; without a namespace in a name, it is their own.
 *
 * The server keeps no sessions: every request is authorised for itself, and any process that has
 * the worlds can answer it. The session id only tells apart the running calls that a client may
 * cancel. There is no stream for messages of the server, so GET is 405, as MCP allows.
 */
export function mcpMount(given: McpMountOptions = {}): ServiceMount {
  requireOptions(given, 'mcpMount', "mcpMount({ path: '/mcp' })");
  const { path = '/mcp', ...options } = given;
  const known = OPTION_FIELDS.filter((field) => field !== 'principal' && field !== 'namespace');
  requireKnownFields(options, [...known, 'path', 'createDefaultWorld'], 'options');
  const running = new RunningCalls();
  return {
    path,
    name: 'mcp',
    methods: ['POST'],
    maxJsonValues: MAX_VALUES,
    answer: (request, context) => answer(request, context, options, running),
  };
}

async function answer(
  request: Request,
  context: MountContext,
  { createDefaultWorld = false, ...options }: Omit<McpMountOptions, 'path'>,
  running: RunningCalls,
): Promise<Response> {
  const { engine, principal, access, signal, onWrite } = context;
  const bytes = await request.arrayBuffer();
  // Many requests may arrive in one piece. Parsing each, and a server for each, takes milliseconds,
  // with nothing to wait for in between.
  const turn = turns.begin(signal);
  // Not awaited without need: the requests after this one must begin after its work.
  if (turn) await turn;
  // When it fires, everything that waits resumes together, which must not cost anything then.
  throwIfAborted(signal);
  const body = parsedBody(bytes);
  const server = serverFor(engine, { ...options, namespace: access.defaultNamespace }, { access, onWrite });
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  takeTurns(transport, signal);
  const close = () => void server.close();
  signal.addEventListener('abort', close, { once: true });
  const messages = messagesOf(body);
  if (messages.length > MAX_MESSAGES) {
    close();
    return Response.json(
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32600, message: `Send at most ${MAX_MESSAGES} messages in one request.` },
      },
      { status: 400 },
    );
  }
  if (createDefaultWorld && messages.some(isCall)) await createMissing(options, context);
  const session = request.headers.get(SESSION_HEADER);
  const caller = JSON.stringify([principal.id, session]);
  const ids = messages.flatMap((message) => ('method' in message && 'id' in message ? [message.id] : []));
  if (session !== null) {
    for (const message of messages) running.cancel(caller, message);
    for (const id of ids) running.add(caller, id, { transport, close: ids.length === 1 ? close : undefined });
  }
  const end = () => {
    if (session !== null) for (const id of ids) running.remove(caller, id, transport);
    signal.removeEventListener('abort', close);
    close();
  };
  let response: Response;
  try {
    // Without a parsed body it finds that the text has been read, and answers that it is no JSON.
    response = await transport.handleRequest(request, { parsedBody: body });
  } catch (error) {
    end();
    throw error;
  }
  const isStart = messages.some((message) => 'method' in message && message.method === 'initialize');
  if (isStart && response.ok) response.headers.set(SESSION_HEADER, crypto.randomUUID());
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    end();
    return response;
  }
  const { status, headers } = response;
  return new Response(endingBody(response.body, end), { status, headers });
}

/**
 * Has messages take turns: each may be milliseconds of work before it first waits for anything,
 * those of a batch arrive in one piece, and many requests may arrive together.
 */
function takeTurns(transport: WebStandardStreamableHTTPServerTransport, signal: AbortSignal): void {
  const handle = transport.onmessage;
  let count = 0;
  transport.onmessage = (message, extra) => {
    const turn = count++ === 0 ? turns.begin(signal) : turns.wait(signal, 0);
    if (!turn) return handle?.(message, extra);
    void turn.then(() => {
      if (!signal.aborted) handle?.(message, extra);
    });
  };
}

const decoder = new TextDecoder();

/** Returns the parsed body of a request; undefined if it is not JSON. */
function parsedBody(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    // Answered by the transport.
    return undefined;
  }
}

function messagesOf(body: unknown): JSONRPCMessage[] {
  const messages = Array.isArray(body) ? body : [body];
  return messages.filter((message) => typeof message === 'object' && message !== null) as JSONRPCMessage[];
}

function isCall(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'tools/call';
}

/** Creates the default world of a caller, if it is missing and the caller may write it. */
async function createMissing(
  { defaultWorld, readOnly = false }: Pick<McpMountOptions, 'defaultWorld' | 'readOnly'>,
  { engine, access, onWrite }: MountContext,
): Promise<void> {
  if (defaultWorld === undefined || readOnly) return;
  const world = { namespace: access.defaultNamespace, slug: defaultWorld };
  if (!access.may('write', world) || (await engine.getWorld({ source: world }))) return;
  // For the audit log.
  access.asked.push(world);
  onWrite();
  await engine.createWorld({ ...world, ifExists: 'return' });
}

/** Passes a stream on, and calls `onEnd` once it has ended, failed or was cancelled. */
function endingBody(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        onEnd();
      },
      async cancel(reason) {
        onEnd();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

interface RunningCall {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Ends the request of the call, if it is the only one in it. */
  readonly close: (() => void) | undefined;
}

/** The calls that are running, so that another request of the same client can cancel them. */
class RunningCalls {
  private readonly calls = new Map<string, RunningCall>();

  add(caller: string, id: unknown, call: RunningCall): void {
    this.calls.set(key(caller, id), call);
  }

  /** Removes a call, unless another one has its id by now. */
  remove(caller: string, id: unknown, transport: RunningCall['transport']): void {
    if (this.calls.get(key(caller, id))?.transport === transport) this.calls.delete(key(caller, id));
  }

  /** Cancels the call that a notification names. */
  cancel(caller: string, message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const call = this.calls.get(key(caller, message.params?.requestId));
    // Closing cancels the call, and ends its stream, which will have no answer.
    if (call?.close) call.close();
    else call?.transport.onmessage?.(message);
  }
}

function key(caller: string, id: unknown): string {
  return `${caller} ${JSON.stringify(id)}`;
}
