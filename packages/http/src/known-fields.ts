export { nearestName, requireKnownFields } from '@rdf-worlds/core';
