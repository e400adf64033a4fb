export const JSON_TYPE: Readonly<Record<string, string>> = { 'content-type': 'application/json' };
