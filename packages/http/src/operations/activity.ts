import type { Call } from '../call.ts';
import { HttpError } from '../http-error.ts';
import { jsonReply, type Reply } from '../reply.ts';

/** Maximum number of namespaces in the report: those that use the most memory. */
const MAX_NAMESPACES = 100;

/**
 * Returns what the server does: running requests, the slowest queries, memory, background problems
 * and the namespaces in memory. For admins, because it covers all tenants.
 */
export async function serverActivity(call: Call): Promise<Reply> {
  const { engine, activity, feeds, record } = call;
  if (!activity) throw new HttpError(404, 'This server does not report its activity; see the option activity.');
  const { status, problems, strays } = engine.health();
  const { memoryBytes, requestMemory, ...counters } = engine.metrics();
  const namespaces = engine.namespacesInMemory();
  return jsonReply(
    {
      time: Date.now(),
      health: {
        status,
        problems: problems.map(({ namespace, activity: work, error, atMs, failures }) => {
          return { namespace, activity: work, message: error.message, atMs, failures };
        }),
        strays,
      },
      memory: { ...memoryBytes, requests: requestMemory.usedBytes, requestsLimit: requestMemory.maxBytes },
      counters,
      feeds: feeds.slots.open,
      waiting: call.waitingRequests,
      namespaces: namespaces.slice(0, MAX_NAMESPACES),
      namespacesInMemory: namespaces.length,
      running: activity.running(record),
      slowest: activity.slowest(),
    },
    200,
    { 'cache-control': 'no-store' },
  );
}
