import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** A full collection now, so that no measurement pays for the garbage of the one before. */
export const collectGarbage: () => void = runInNewContext('gc');
