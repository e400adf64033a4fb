import type { Call } from '../call.ts';
import { jsonReply, type Reply } from '../reply.ts';

/**
 * Describes the caller: its id, its default namespace, and the namespaces in which it may read or
 * write at least one world. For callers without admin, these are the namespaces of their grants,
 * whether they exist or not, so that the answer reveals nothing else.
 */
export async function listNamespaces({ engine, access }: Call): Promise<Reply> {
  const { id, defaultNamespace, isAdmin } = access;
  const names = isAdmin
    ? [...new Set([defaultNamespace, ...(await engine.listNamespaces())])].sort()
    : access.grantedNamespaces;
  const namespaces = names.map((namespace) => ({
    namespace,
    read: access.mayEnter(namespace, 'read'),
    write: access.mayEnter(namespace, 'write'),
  }));
  return jsonReply({ id, namespace: defaultNamespace, admin: isAdmin, namespaces }, 200, {
    'cache-control': 'no-store',
  });
}
