const tasks: (() => void)[] = [];
let post: (() => void) | undefined;

/**
 * Runs a task after the browser could handle events and draw. A message is a task of the event loop
 * without the delay of `setTimeout`, which is 4 ms for nested timers and a second for hidden pages.
 */
export function setImmediate(task: () => void): void {
  post ??= newPost();
  tasks.push(task);
  post();
}

function newPost(): () => void {
  const run = () => tasks.shift()!();
  // Some environments that imitate a browser have no channels.
  if (typeof MessageChannel === 'undefined') return () => void setTimeout(run, 0);
  const { port1, port2 } = new MessageChannel();
  (port1 as unknown as { onmessage: () => void }).onmessage = run;
  return () => port2.postMessage(undefined);
}
