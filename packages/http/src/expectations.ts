import type { IncomingMessage, ServerResponse } from 'node:http';

/** Messages whose clients wait for an interim response before they send their bodies. */
const WAITING = new WeakSet<IncomingMessage>();

/**
 * Records that a client waits for 100 (Continue). A server that does not call this has sent it
 * already, as `node:http` does by default.
 */
export function expectContinue(message: IncomingMessage): void {
  WAITING.add(message);
}

/**
 * Returns whether a client still waits. It may then send its body or not (RFC 9110 section 10.1.1),
 * so a final response must close the connection.
 */
export function awaitsContinue(message: IncomingMessage): boolean {
  return WAITING.has(message);
}

/**
 * Sends 100 (Continue) to a client that waits for it, when its body is about to be read: "A server
 * MUST NOT wait for the request content before sending the 100 (Continue) response" (RFC 9110
 * section 10.1.1).
 */
export function sendContinue(message: IncomingMessage, outgoing: ServerResponse): void {
  if (WAITING.delete(message)) outgoing.writeContinue();
}
