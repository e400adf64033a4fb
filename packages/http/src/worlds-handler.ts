import type { WorldsEngine } from '@rdf-worlds/core';
import { FetchIncoming } from './fetch-incoming.ts';
import { toResponse } from './fetch-response.ts';
import type { WorldsHandlerOptions } from './handler-options.ts';
import { WorldsService } from './worlds-service.ts';

/** Answers one request. Never rejects. */
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
  const handler: WorldsHandler = async (request) => toResponse(await service.answer(new FetchIncoming(request)));
  SERVICES.set(handler, service);
  return handler;
}

/** Returns the service of a handler; undefined if `createWorldsHandler` did not make it. */
export function serviceOf(handler: WorldsHandler): WorldsService | undefined {
  return SERVICES.get(handler);
}
