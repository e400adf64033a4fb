import { WorldsError } from '../model/worlds-error.ts';

/**
 * A write that changed nothing because another process wrote first, or freed terms. The state that
 * it was computed on is not the current one, so the call can be repeated, and the caller never
 * learns of it unless that fails too often.
 */
export class Overtaken extends WorldsError {
  readonly namespace: string;

  constructor(namespace: string, cause?: unknown) {
    super(
      'CONFLICT',
      `Another process wrote to the namespace ${namespace} first, so nothing was changed. Repeat the call.`,
      { cause },
    );
    this.namespace = namespace;
  }
}
