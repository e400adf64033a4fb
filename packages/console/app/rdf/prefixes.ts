import { forEachPrincipal } from '../session/own.ts';
import { forgetPrefixes } from './prefix-table.ts';

// The namespaces of the worlds of one caller are not offered to the next one.
forEachPrincipal(forgetPrefixes);

export {
  allPrefixes,
  learnDeclared,
  learnFrom,
  localName,
  namespaceOfIri,
  prefixedName,
  prefixesFor,
  prefixVersion,
} from './prefix-table.ts';
