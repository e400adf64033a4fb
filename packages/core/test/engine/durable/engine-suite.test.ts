import { engineSuites } from './engine-suites.ts';
import { giveStorage } from './given-storage.ts';

giveStorage('memory');
engineSuites('with storage');
