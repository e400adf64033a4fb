import { type Logger, WorldsError } from '@rdf-worlds/core';

/**
 * Returns the text of an error for a model: the code, what is wrong, and what to do next. Failures
 * of the server go to the log; their details may name files, and do not help a model.
 */
export function errorText(error: unknown, tool: string, logger: Logger | undefined): string {
  if (!(error instanceof WorldsError)) {
    logger?.error({ err: error, tool }, 'a tool failed unexpectedly');
    return `INTERNAL: ${tool} failed unexpectedly; the log of the server has the details. Do not repeat the call; tell the person.`;
  }
  const { code, message } = error;
  switch (code) {
    case 'INTERNAL':
    case 'CORRUPT':
      logger?.error({ err: error, tool }, 'a tool failed unexpectedly');
      return `${code}: ${tool} failed; the log of the server has the details. Tell the person to run rdf-worlds check on the data.`;
    case 'IN_DOUBT':
      logger?.error({ err: error, tool }, 'the storage failed during a write');
      return `${code}: the storage failed, so it is unknown whether the change was stored. Look at the entity before you repeat the call.`;
    case 'OVERLOADED':
    case 'CONFLICT':
      return `${code}: ${message} You may repeat the call.`;
    case 'QUOTA_EXCEEDED':
      return `${code}: ${message} Nothing was stored; forget with erase makes room.`;
    default:
      return `${code}: ${message}`;
  }
}
