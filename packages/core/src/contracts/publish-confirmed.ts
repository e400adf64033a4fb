import type { ConfirmHead, Head } from './storage.ts';
import { sameHead, storageErrors } from './storage-arguments.ts';

/**
 * For drivers: asks `confirm` for the head of a checkpoint and tries to publish it there, until
 * `publish` returns true. Throws CONFLICT if `confirm` returns a head that was refused before.
 */
export async function publishConfirmed(
  namespace: string,
  confirm: ConfirmHead,
  publish: (head: Head) => boolean | Promise<boolean>,
): Promise<void> {
  let refused: Head | undefined;
  for (;;) {
    const head = await confirm();
    if (refused && sameHead(refused, head)) throw storageErrors.unconfirmed(namespace, head);
    if (await publish(head)) return;
    refused = head;
  }
}
