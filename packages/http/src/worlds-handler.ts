import { type WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { kindOf } from '@rdf-worlds/core/internal';
import { FetchIncoming } from './fetch-incoming.ts';
import { toResponse } from './fetch-response.ts';
import type { WorldsHandlerOptions } from './handler-options.ts';
import { WorldsService } from './worlds-service.ts';

/**
 * Answers one request. Rejects only with `INVALID_ARGUMENT`, for anything that is not a Request.
 */
export type WorldsHandler = (request: Request) => Promise<Response>;

/** The service of each handler, for mounts that bypass Request and Response. */
const SERVICES = new WeakMap<WorldsHandler, WorldsService>();

/**
 * Returns the service as a function from Request to Response, for hosts that speak the Fetch
 * standard: Hono, Bun, Deno, Next route handlers. For `node:http` see `@rdf-worlds/http/node`, for
 * Express `@rdf-worlds/http/express`. The engine may still be opening. Throws `INVALID_ARGUMENT`
 * for invalid options.
 */
export function createWorldsHandler(
  engine: WorldsEngine | Promise<WorldsEngine>,
  options: WorldsHandlerOptions,
): WorldsHandler {
  const service = new WorldsService(engine, options);
  const handler: WorldsHandler = async (request) => {
    requireRequest(request);
    return toResponse(await service.answer(new FetchIncoming(request)));
  };
  SERVICES.set(handler, service);
  return handler;
}

function requireRequest(request: unknown): void {
  const { url, headers } = Object(request) as Partial<Request>;
  if (typeof url === 'string' && typeof headers?.get === 'function') return;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `handler: expected a Request, not ${kindOf(request)}; write handler(new Request('http://localhost/worlds')). For node:http, pass the handler to nodeListener.`,
  );
}

/** Returns the service of a handler; undefined if `createWorldsHandler` did not make it. */
export function serviceOf(handler: WorldsHandler): WorldsService | undefined {
  return SERVICES.get(handler);
}
